// The view of a search for good settings: a figure with a dot for each candidate, and the same as a table; of a search for a readable
// rule base its curve, with the rule bases to choose from.

/** @import { Drawn } from "../core/plotly.js" */
/** @import { Figure, MountOptions, State, View } from "../core/types.js" */
/** @import { Search, Trial } from "./types.js" */

import { blue, green, inks } from "../core/colours.js";
import { element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { onValue } from "../core/feed.js";
import { layout, straightLine } from "../core/layout.js";
import { drawIn, forget, setListener } from "../core/plotly.js";
import { plotlyText, threeDecimals } from "../core/text.js";
import { numbersOf } from "./explained.js";
import { curveFigure, curveTable, curveTrials } from "./curve.js";

const HEIGHT = 300;
const CAPTION = "Each dot is one combination of settings, filled while still in tuning and hollow when others were better. The best is chosen among the settings validated on the most folds, so a dot above it was validated on fewer.";
const CURVE = "Each point is the best rule base of its size: no shorter one reaches it. The star is the shortest within one standard error"
  + " of the best, or the one you chose. A rule base whose strongest rule often predicts something else than all rules together, or whose"
  + " sentences are seldom true, counts as worse than its score. Hollow dots are other settings; those above the line count as worse, or were"
  + " validated on fewer folds. Once tuning has ended, a click on a point or a row chooses it.";
const STATES = { training: "still in tuning", finished: "kept to the end", dropped: "dropped" };

/** @type {Search} */
let shown = { ended: false, trials: [], curve: null, chosen: null, measure: "" };

onValue("tuning", (tuning) => { shown = tuning; });

/**
 * A view: the figure and the tables.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function search(parent, options) {
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
  const line = { color: paper, width: 1 };
  const data = [
    dots(dropped, measure, "dropped", { symbol: "circle-open", size: 10, color: blue(dark), line: { width: 2 } }),
    dots(racing, measure, ended ? STATES.finished : STATES.training, { size: 10, color: blue(dark), line }),
    dots(best ? [best] : [], measure, ended ? "best" : "best so far", { symbol: "star", size: 15, color: green(dark), line }),
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
 * @param {string} measure
 * @param {string} name
 * @param {Record<string, unknown>} marker
 */
function dots(trials, measure, name, marker) {
  return {
    x: trials.map((one) => one.number), y: trials.map((one) => one.score), mode: "markers", name, marker, showlegend: trials.length > 0,
    text: trials.map((one) => hoverText(one, measure)), hovertemplate: "%{text}<extra></extra>", cliponaxis: false,
  };
}

/**
 * @param {Trial} trial
 * @param {string} measure
 */
function hoverText(trial, measure) {
  const over = trial.sd === null ? "one fold" : `SD ${threeDecimals(trial.sd)} over ${trial.validations} folds`;
  return `${trial.number}: ${plotlyText(settingsOf(trial), 200)}<br>${measure} ${threeDecimals(trial.score)} (${over}), ${STATES[trial.state]}`;
}

/** @param {Trial} trial */
const settingsOf = (trial) => (trial.own ? `your settings: ${trial.settings}` : trial.settings);

/**
 * All candidates, the best first; folded, and read out by screen readers.
 * @param {HTMLElement} details
 * @param {Search} search
 */
function trialTable(details, { trials, measure }) {
  element(details, "summary", "tsk-summary").textContent = `All combinations tried, as a table (${trials.length})`;
  const table = element(details, "table", "tsk-table");
  const row = (/** @type {"th" | "td"} */ tag, /** @type {(string | number)[]} */ cells) => {
    const line = document.createElement("tr");
    for (const cell of cells) line.appendChild(document.createElement(tag)).textContent = String(cell);
    return line;
  };
  const head = document.createElement("thead"), body = document.createElement("tbody");
  head.append(row("th", ["Number", measure, "SD", "Folds", "State", "Settings"]));
  body.append(...trials.map((one) => row("td", [one.number, threeDecimals(one.score), threeDecimals(one.sd), one.validations, STATES[one.state], settingsOf(one)])));
  table.replaceChildren(head, body);
}
