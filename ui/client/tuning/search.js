// The view of a search for good settings: a figure with a dot for each candidate, and the same as a table; of a search for a readable
// rule base its curve, accuracy × conditions, with the rule bases to choose from.

/** @import { Drawn } from "../core/plotly.js" */
/** @import { Figure, MountOptions, State, View } from "../core/types.js" */
/** @import { Search, Trial } from "./types.js" */

import { blue, green, inks } from "../core/colours.js";
import { button, element, fillTable, keepingFocus, tableRow } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { onValue } from "../core/feed.js";
import { layout, logarithmic, straightLine } from "../core/layout.js";
import { drawIn, forget, setListener } from "../core/plotly.js";
import { counted, percent, plotlyText, threeDecimals, truncated, written } from "../core/text.js";

const HEIGHT = 300;
const CAPTION = "Each dot is one combination of settings, filled while still in tuning and hollow when others were better. The best is chosen among the settings validated on the most folds, so a dot above it was validated on fewer.";
const CURVE = "Each point is the best rule base of its size: no shorter one reaches it. The star is the shortest within one standard error"
  + " of the best, or the one you chose. A rule base whose strongest rule often predicts something else than all rules together, or whose"
  + " sentences are seldom true, counts as worse than its score. Hollow dots are other settings; those above the line count as worse, or were"
  + " validated on fewer folds. Once tuning has ended, a click on a point or a row chooses it.";
const STATES = { training: "still in tuning", finished: "kept to the end", dropped: "dropped" };
/** @type {Search} */
let shown = { ended: false, trials: [], curve: null, chosen: null, measure: "" };
const SIZES = ["Conditions", "Rules", "Per rule, at most"];
const FURTHER = ["± one standard error", "Strongest rule agrees", "Its sentence is true", "Settings"];

/** The rule base that was clicked; without one the best, which comes first, is the one chosen. @type {number | null} */
let clicked = null;
const set = (/** @type {Search} */ value) => { shown = { ...value, chosen: clicked ?? value.trials[0]?.number ?? null }; };

onValue("tuning", set);
onValue("tuning_chosen", (number) => {
  clicked = number;
  set(shown);
});

/**
 * A view: the figure and the tables.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function tuning(parent, options) {
  const { send } = options;
  const node = element(parent, "div", "tsk-chart", { role: "img", "aria-label": "Tuning" });
  const caption = element(parent, "p", "tsk-caption"), sizes = element(parent, "div", "tsk-curve");
  const tools = element(parent, "div", "tsk-tools"), explain = explaining(tools, parent, "search", "Tuning", options);
  const details = element(parent, "details", "tsk-trials");
  details.classList.add("tsk-tried");
  node.style.minHeight = `${HEIGHT}px`; // so that nothing moves when the figure appears
  let curved = false;
  return {
    node,
    /** @param {State} state */
    draw({ dark }) {
      const now = shown, readable = now.curve !== null;
      const choose = now.ended && send ? (/** @type {number} */ number) => send("chosen", number) : undefined;
      caption.textContent = readable ? CURVE : CAPTION;
      caption.hidden = details.hidden = tools.hidden = !now.trials.length;
      explain(() => numbersOf(now));
      sizes.hidden = !readable;
      if (readable) curveTable(sizes, now, choose);
      trialTable(details, now);
      if (node.clientWidth === 0) return;
      if (curved !== readable) forget(node);
      curved = readable;
      const figure = readable ? curveFigure(now, dark, HEIGHT) : searchFigure(now, dark);
      drawIn(node, figure, caption).then((drawn) => drawn && followClicks(drawn, readable ? choose : undefined));
    },
  };
}

/**
 * A click on a point of the curve chooses it.
 * @param {Drawn} node
 * @param {((number: number) => void) | undefined} choose
 */
function followClicks(node, choose) {
  setListener(node, "plotly_click", choose && (({ points }) => {
    const [{ x, customdata }] = points; // maybe of a dot that lies on the point of its size
    const chosen = curveTrials(shown).find((one) => one.number === customdata || one.conditions === x);
    if (chosen) choose(chosen.number);
  }));
}

/**
 * The cross-validated score of each candidate by its number, with a line at that of the best.
 * @param {Search} search
 * @param {boolean} dark
 * @returns {Figure}
 */
export function searchFigure({ trials, ended, measure }, dark) {
  const [best, ...others] = trials, { paper } = inks(dark);
  const dropped = others.filter((one) => one.state === "dropped"), racing = others.filter((one) => one.state !== "dropped");
  const line = { color: paper, width: 1 }, text = trialText(measure);
  const data = [
    dots(dropped, "dropped", { symbol: "circle-open", size: 10, color: blue(dark), line: { width: 2 } }, text),
    dots(racing, ended ? STATES.finished : STATES.training, { size: 10, color: blue(dark), line }, text),
    dots(best ? [best] : [], ended ? "best" : "best so far", { symbol: "star", size: 15, color: green(dark), line }, text),
  ];
  const mark = best ? straightLine({ y: best.score }, green(dark), { dash: "dot" }) : { shapes: [], annotations: [] };
  const last = Math.max(12, ...trials.map((one) => one.number));
  const xaxis = { range: [0.5, last + 0.5], tickformat: "d" }, yaxis = { tickformat: ".2f", ...(best ? {} : { range: [0, 1] }) };
  const more = { ...mark, height: HEIGHT, hovermode: "closest", xaxis, yaxis };
  const name = best
    ? `Cross-validated ${measure} of ${trials.length} combinations of settings; the best${ended ? "" : " so far"} is number ${best.number} with ${threeDecimals(best.score)}.`
    : "Cross-validated score of each combination of settings; none has one yet.";
  return { data, layout: layout(dark, "Combination of settings, in the order of their start", `Mean ${measure || "score"}`, more), name };
}

/**
 * @param {Trial[]} trials
 * @param {string} name
 * @param {Record<string, unknown>} marker
 * @param {(trial: Trial) => string} text
 * @param {"number" | "conditions"} [x]
 */
const dots = (trials, name, marker, text, x = "number") => ({
  x: trials.map((one) => one[x]), y: trials.map((one) => one.score), customdata: trials.map((one) => one.number), mode: "markers", name, marker,
  showlegend: trials.length > 0, text: trials.map(text), hovertemplate: "%{text}<extra></extra>", cliponaxis: x !== "number",
});

/** What a dot says. @param {string} measure */
const trialText = (measure) => (/** @type {Trial} */ trial) => {
  const over = trial.sd === null ? "one fold" : `SD ${threeDecimals(trial.sd)} over ${trial.validations} folds`;
  return `${trial.number}: ${plotlyText(settingsOf(trial), 200)}<br>${measure} ${threeDecimals(trial.score)} (${over}), ${STATES[trial.state]}`;
};

/** @param {Trial} trial */
const settingsOf = (trial) => (trial.own ? `your settings: ${trial.settings}` : trial.settings);

/**
 * All candidates, the best first; folded, and read out by screen readers.
 * @param {HTMLElement} details
 * @param {Search} search
 */
function trialTable(details, { trials, measure }) {
  element(details, "summary", "tsk-summary").textContent = `All combinations tried, as a table (${trials.length})`;
  const rows = trials.map((one) => (
    [one.number, threeDecimals(one.score), threeDecimals(one.sd), one.validations, STATES[one.state], settingsOf(one)].map(String)));
  fillTable(element(details, "table", "tsk-table"), ["Number", measure, "SD", "Folds", "State", "Settings"], rows);
}

/**
 * The candidates of the curve, fewest conditions first.
 * @param {Search} search
 */
export function curveTrials({ trials, curve }) {
  return (curve ?? []).map((number) => /** @type {Trial} */ (trials.find((one) => one.number === number)));
}

/**
 * The cross-validated score by the number of conditions, ± one standard error.
 * @param {Search} search
 * @param {boolean} dark
 * @param {number} height pixels
 * @returns {Figure}
 */
export function curveFigure(search, dark, height) {
  const { trials, chosen, measure } = search, { paper } = inks(dark), points = curveTrials(search);
  const others = trials.filter((one) => !points.includes(one)), taken = points.filter((one) => one.number === chosen);
  const line = { color: paper, width: 1 }, text = sizeText(measure);
  const errors = { array: points.map((one) => one.error ?? 0), color: blue(dark), thickness: 1.5, width: 4 };
  const data = [
    { ...dots(others, "other settings", { symbol: "circle-open", size: 6, color: blue(dark) }, text, "conditions"), opacity: 0.4 },
    {
      ...dots(points, "best of its size, ± one standard error", { size: 10, color: blue(dark), line }, text, "conditions"),
      mode: "lines+markers", error_y: errors, line: { color: blue(dark), width: 2 },
    },
    dots(taken, "chosen", { symbol: "star", size: 16, color: green(dark), line }, text, "conditions"),
  ];
  const xaxis = { ...logarithmic(trials.map((one) => one.conditions ?? 0)), minor: { ticks: "" } };
  const more = { height, hovermode: "closest", xaxis, yaxis: { tickformat: ".2f" } };
  return { data, layout: layout(dark, "Conditions of all rules", `Mean ${measure}`, more), name: nameOf(points, taken, measure) };
}

/** @param {Trial[]} points @param {Trial[]} taken @param {string} measure */
function nameOf(points, taken, measure) {
  const said = (/** @type {Trial} */ one) => `${conditionsOf(one)} with ${threeDecimals(one.score)}`;
  const range = points.length > 1 ? `, from ${said(points[0])} to ${said(points[points.length - 1])}` : "";
  return `Cross-validated ${measure} by the number of conditions: ${points.length} rule base${points.length > 1 ? "s" : ""}${range}; chosen: ${taken.map(said).join()}.`;
}

/** @param {Trial} trial */
const conditionsOf = ({ conditions }) => counted(conditions ?? 0, "condition");

/** What a point of the curve says. @param {string} measure */
const sizeText = (measure) => (/** @type {Trial} */ trial) => {
  const error = trial.error === null ? "" : ` ± ${threeDecimals(trial.error)}`;
  return `${conditionsOf(trial)} in ${trial.rules} rules<br>${measure} ${threeDecimals(trial.score)}${error}<br>${plotlyText(trial.settings, 200)}`;
};

/**
 * The rule bases of the curve; a press on one of them chooses it, once the search has ended.
 * @param {HTMLElement} parent
 * @param {Search} search
 * @param {((number: number) => void) | undefined} choose
 */
function curveTable(parent, search, choose) {
  const table = element(parent, "table", "tsk-cells");
  table.classList.add("tsk-table");
  const rows = curveTrials(search).map((one) => {
    const shares = [one.agreement, one.literal].map((share) => (share === null ? "–" : percent(share, 0)));
    const line = tableRow("td", ["", one.rules, one.most, threeDecimals(one.score), threeDecimals(one.error), ...shares, one.settings].map(String));
    const node = button(line.cells[0], "tsk-cell", conditionsOf(one), `Choose the rule base with ${conditionsOf(one)}`, () => choose?.(one.number));
    node.disabled = !choose;
    node.setAttribute("aria-pressed", String(one.number === search.chosen));
    line.classList.toggle("tsk-best", one.number === search.chosen);
    return line;
  });
  keepingFocus(table, () => fillTable(table, [...SIZES, search.measure, ...FURTHER], rows));
}

/**
 * The best combination, and what its mean rests on.
 * @param {Search} search
 */
export function numbersOf({ trials: [best, ...others] }) {
  if (!best) return [];
  const { number, score, sd, validations: K, settings } = best;
  const lines = [`Best of ${others.length + 1}: number ${number}, ${truncated(settings, 60)}: v̄ = ${threeDecimals(score)} over ${counted(K, "fold")}.`];
  if (sd !== null) {
    const error = (/** @type {number[]} */ [s]) => (s / Math.sqrt(K)).toFixed(3), result = error([sd]);
    lines.push(`SE = ${written([sd], error, result)[0]} / √${K} = ${result}.`);
  }
  const close = others.filter((one) => sd !== null && one.score > score - sd / Math.sqrt(K)).length;
  if (sd !== null) lines.push(`Within one SE of it: ${close} of the ${others.length} others.`);
  return lines;
}
