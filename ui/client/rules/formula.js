// Rules as formulas: the membership functions of their conditions, and their scores as linear functions of the features.

/** @import { Base, BaseColumn, Snapshot } from "../core/messages.js" */

import { minus } from "../core/text.js";
import { columnName } from "../model/columns.js";
import { logOfStates } from "../model/membership.js";

const TERMS = 12; // of a score that are written out: those with the largest effect
const CATEGORIES = 6; // of a condition that are written out

/**
 * A number with so many digits as distinguish thirtieths of `scale`.
 * @param {number} value
 * @param {number} scale
 */
function digits(value, scale) {
  const step = Math.abs(scale) / 30 || Math.abs(value) / 1000 || 1, size = Math.max(Math.abs(value), step);
  const places = Math.ceil(-Math.log10(step));
  if (!Number.isFinite(value) || size >= 1e7 || places > 6) return minus(Number(value).toExponential(3));
  return minus(String(Number(value.toFixed(Math.min(12, Math.max(0, places))))));
}


/**
 * The membership function of a rule's condition on a feature: "size: exp(−(x − 5.1)² / (2 · 0.4²))"; of a category, its memberships,
 * scaled to 1 at the likeliest one.
 * @param {Snapshot} snapshot
 * @param {Base} base
 * @param {number} r
 * @param {string} feature
 */
export function membershipFormula({ centers, sigmas }, { columns }, r, feature) {
  const own = columns.map((_, d) => d).filter((d) => columns[d].feature === feature), [first] = own;
  const levels = columns[first]?.levels;
  if (first !== undefined && columns[first].kind === "number" && !levels) {
    const center = centers[r][first], sigma = sigmas[r][first];
    if (sigma === null) return `${feature}: 1, whatever its value`;
    const sign = center < 0 ? "+" : "−";
    return `${feature}: exp(−(x ${sign} ${digits(Math.abs(center), sigma)})² / (2 · ${digits(Math.abs(sigma), sigma)}²))`;
  }
  const logs = logOfStates({ centers, sigmas }, r, own, levels);
  const top = Math.max(...logs), order = logs.map((_, k) => k), rest = order.length - CATEGORIES;
  order.sort((a, b) => logs[b] - logs[a]);
  const texts = order.slice(0, CATEGORIES).map((k) => `${levels?.[k] ?? stateOf(columns[own[k]])} ${Math.exp(logs[k] - top).toFixed(2)}`);
  return `${feature}: ${texts.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** @param {BaseColumn} column */
const stateOf = ({ kind, category }) => (kind === "category" ? String(category) : kind === "missing" ? "missing" : "another value");

/**
 * The scores of a rule as linear functions: for each class "score of cat = 1.2 + 0.5 · size − …", with the terms that matter most.
 * spreads: how far each column spreads; 1 for categories.
 * @param {Snapshot} snapshot
 * @param {Base} base
 * @param {number} r
 * @param {number[]} spreads
 */
export function scoreFormulas({ consequents }, { columns, classes }, r, spreads) {
  return classes.map((name, c) => {
    const [constant, ...slopes] = consequents[r][c], effect = slopes.map((slope, d) => Math.abs(slope) * spreads[d]);
    const order = slopes.map((_, d) => d).filter((d) => slopes[d] !== 0).sort((a, b) => effect[b] - effect[a]);
    const written = order.slice(0, TERMS).map((d) => {
      const text = columns[d].levels ? `[rank of ${columns[d].feature}]` : columns[d].kind === "number" ? columns[d].feature : `[${columnName(columns[d])}]`;
      return `${slopes[d] < 0 ? "−" : "+"} ${three(Math.abs(slopes[d]))} · ${text}`;
    });
    const rest = order.length - written.length;
    return [`score of ${name} = ${three(constant)}`, ...written, ...(rest > 0 ? [`+ ${rest} smaller ${rest > 1 ? "terms" : "term"}`] : [])].join(" ");
  });
}

/**
 * Three significant digits.
 * @param {number} value
 */
function three(value) {
  const size = Math.abs(value);
  return minus(size && (size >= 1e5 || size < 1e-3) ? value.toExponential(2) : String(Number(value.toPrecision(3))));
}
