// The curve of a search for a readable rule base: accuracy × conditions, as a figure and as a table from which a person chooses.

/** @import { Figure } from "../core/types.js" */
/** @import { Search, Trial } from "./types.js" */

import { blue, green, inks } from "../core/colours.js";
import { button, element, keepingFocus } from "../core/elements.js";
import { layout, logarithmic } from "../core/layout.js";
import { counted, percent, plotlyText, threeDecimals } from "../core/text.js";

const SIZES = ["Conditions", "Rules", "Per rule, at most"];
const FURTHER = ["± one standard error", "Strongest rule agrees", "Its sentence is true", "Settings"];

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
  const line = { color: paper, width: 1 };
  const errors = { array: points.map((one) => one.error ?? 0), color: blue(dark), thickness: 1.5, width: 4 };
  const data = [
    { ...dots(others, measure, "other settings", { symbol: "circle-open", size: 6, color: blue(dark) }), opacity: 0.4 },
    {
      ...dots(points, measure, "best of its size, ± one standard error", { size: 10, color: blue(dark), line }),
      mode: "lines+markers", error_y: errors, line: { color: blue(dark), width: 2 },
    },
    dots(taken, measure, "chosen", { symbol: "star", size: 16, color: green(dark), line }),
  ];
  const xaxis = { ...logarithmic(trials.map((one) => one.conditions ?? 0)), minor: { ticks: "" } };
  const more = { height, hovermode: "closest", xaxis, yaxis: { tickformat: ".2f" } };
  return { data, layout: layout(dark, "Conditions of all rules", `Mean ${measure}`, more), name: nameOf(points, taken, measure) };
}

/**
 * @param {Trial[]} points
 * @param {Trial[]} taken
 * @param {string} measure
 */
function nameOf(points, taken, measure) {
  const said = (/** @type {Trial} */ one) => `${conditionsOf(one)} with ${threeDecimals(one.score)}`;
  const range = points.length > 1 ? `, from ${said(points[0])} to ${said(points[points.length - 1])}` : "";
  return `Cross-validated ${measure} by the number of conditions: ${points.length} rule base${points.length > 1 ? "s" : ""}${range}; chosen: ${taken.map(said).join()}.`;
}

/** @param {Trial} trial */
const conditionsOf = ({ conditions }) => counted(conditions ?? 0, "condition");

/**
 * @param {Trial[]} trials
 * @param {string} measure
 * @param {string} name
 * @param {Record<string, unknown>} marker
 */
function dots(trials, measure, name, marker) {
  return {
    x: trials.map((one) => one.conditions), y: trials.map((one) => one.score), customdata: trials.map((one) => one.number),
    mode: "markers", name, marker, showlegend: trials.length > 0, text: trials.map((one) => hoverText(one, measure)), hovertemplate: "%{text}<extra></extra>",
  };
}

/**
 * @param {Trial} trial
 * @param {string} measure
 */
function hoverText(trial, measure) {
  const error = trial.error === null ? "" : ` ± ${threeDecimals(trial.error)}`;
  const score = `${measure} ${threeDecimals(trial.score)}${error}`;
  return `${conditionsOf(trial)} in ${trial.rules} rules<br>${score}<br>${plotlyText(trial.settings, 200)}`;
}

/**
 * The rule bases of the curve; a press on one of them chooses it, once the search has ended.
 * @param {HTMLElement} parent
 * @param {Search} search
 * @param {((number: number) => void) | undefined} choose
 */
export function curveTable(parent, search, choose) {
  const table = element(parent, "table", "tsk-cells"), head = document.createElement("tr");
  table.classList.add("tsk-table");
  for (const column of [...SIZES, search.measure, ...FURTHER]) head.appendChild(document.createElement("th")).textContent = column;
  const rows = curveTrials(search).map((one) => {
    const line = document.createElement("tr"), first = line.appendChild(document.createElement("td"));
    const node = button(first, "tsk-cell", conditionsOf(one), `Choose the rule base with ${conditionsOf(one)}`, () => choose?.(one.number));
    node.disabled = !choose;
    node.setAttribute("aria-pressed", String(one.number === search.chosen));
    const shares = [one.agreement, one.literal].map((share) => (share === null ? "–" : percent(share, 0)));
    for (const cell of [one.rules, one.most, threeDecimals(one.score), threeDecimals(one.error), ...shares, one.settings]) {
      line.appendChild(document.createElement("td")).textContent = String(cell);
    }
    line.classList.toggle("tsk-best", one.number === search.chosen);
    return line;
  });
  const top = document.createElement("thead"), body = document.createElement("tbody");
  top.append(head);
  body.append(...rows);
  keepingFocus(table, () => table.replaceChildren(top, body));
}
