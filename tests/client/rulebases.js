// Rule bases by chance or by hand, rows for them, and the slow formulas that they are checked against.

import "./page.js";
import { tableOf } from "../../ui/client/model/columns.js";
import { modelOf } from "../../ui/client/model/inference.js";
import { chance, range, sum } from "./numbers.js";

export const number = (feature) => ({ feature, kind: "number", category: null, impute: 0 });
export const category = (feature, value) => ({ feature, kind: "category", category: value, impute: null });
export const makeRule = (centers, sigmas, consequents, log_weight = 0) => ({ log_weight, centers, sigmas, consequents });

/** The normalisation of a kind; "layer softmax" is layer normalisation of softmax. */
function normalisationOf(kind) {
  if (kind.startsWith("layer ")) return { kind: "layer-relu", epsilon: 1e-5, of: normalisationOf(kind.slice(6)) };
  return kind === "softmax" ? { kind } : { kind, epsilon: kind === "log" ? 1e-3 : 1e-8 };
}

/** Rows as the server sends them, without a view of two components. */
export function makeRows(x, y = x.map(() => 0), part = x.map(() => 1)) {
  const columns = x[0].map((_, d) => ({ low: Math.min(...x.map((row) => row[d])), high: Math.max(...x.map((row) => row[d])) }));
  return { row: range(x.length), part, y, x, columns, view: null };
}

/** A scene of these rules, with the row x. */
export function sceneOf(columns, rules, classes, rows, { x = rows.x[0], kind = "softmax", log_prior, ...more } = {}) {
  const normalisation = normalisationOf(kind), base = { columns, classes, normalisation, log_prior };
  const names = ["log_weight", "centers", "sigmas", "consequents", ...(normalisation.of ? ["scale", "shift"] : [])];
  const snapshot = { epoch: 1, ...Object.fromEntries(names.map((name) => [name, rules.map((rule) => rule[name])])) };
  const table = tableOf(base, rows, snapshot);
  const model = modelOf(snapshot, base);
  return { base, snapshot, table, model, x, start: x, index: 0, dark: false, locked: [], filters: [], ...more };
}

/** A rule base by chance on two numbers, a whole number and a category of three, with 25 rows. */
export function randomScene(R, C, seed, kind = "softmax", more = {}) {
  const next = chance(seed), normal = () => sum(range(12, next)) - 6, D = 6;
  const columns = [number("size"), number("weight"), number("legs"), ...["red", "blue", "grey"].map((one) => category("colour", one))];
  const rules = range(R, () => makeRule(
    [normal(), normal(), 4 + 2 * normal(), next(), next(), next()], range(D, () => (next() < 0.15 ? null : 0.4 + 1.6 * next())),
    range(C, () => range(D + 1, normal)), normal(),
  ));
  if (kind.startsWith("layer ")) for (const rule of rules) Object.assign(rule, { scale: 1 + 0.5 * normal(), shift: 0.5 * normal() });
  const x = range(25, () => [normal(), normal(), Math.floor(9 * next()), ...oneOf(3, Math.floor(3 * next()))]);
  const rows = makeRows(x, x.map(() => Math.floor(C * next())), x.map(() => Math.floor(2 * next())));
  return sceneOf(columns, rules, range(C, (c) => `c${c}`), rows, { kind, ...more });
}

export const oneOf = (count, chosen) => range(count, (k) => Number(k === chosen));

/** f̄ of one row, by the formula and nothing else. */
export function slowFiring({ snapshot, base }, x) {
  const { log_weight, centers, sigmas } = snapshot, { kind, epsilon = 0 } = base.normalisation.of ?? base.normalisation;
  const product = (r) => x.reduce((all, value, d) => all * slowMembership(value, centers[r][d], sigmas[r][d]), 1);
  const raw = log_weight.map((weight, r) => Math.exp(weight) * product(r));
  if (kind === "log") {
    const inverse = raw.map((f) => 1 / (epsilon - Math.min(Math.log(f), 0)));
    return inverse.map((f) => f / sum(inverse));
  }
  return raw.map((f) => f / (sum(raw) + epsilon));
}

/** What the rules' scores are multiplied by: f̄, or f̃ of layer normalisation over the rules, one after the other. */
export function slowWeights(scene, x) {
  const firing = slowFiring(scene, x), { scale, shift } = scene.snapshot, { of, epsilon } = scene.base.normalisation;
  if (!of) return firing;
  const mean = sum(firing) / firing.length, variance = sum(firing.map((f) => (f - mean) ** 2)) / firing.length;
  return firing.map((f, r) => Math.max(0, (scale[r] * (f - mean)) / Math.sqrt(variance + epsilon) + shift[r]));
}

export function slowScores(scene, x) {
  const weights = slowWeights(scene, x), { consequents } = scene.snapshot;
  const output = ([constant, ...slopes]) => constant + sum(x.map((value, d) => value * slopes[d]));
  return consequents[0].map((_, c) => sum(weights.map((f, r) => f * output(consequents[r][c]))));
}

export const largestAt = (values) => values.indexOf(Math.max(...values));
export const slowPredicted = (scene, x) => largestAt(slowScores(scene, x));

/** The membership of a value in a rule's Gaussian; 1 where the antecedent was dropped. */
export const slowMembership = (x, center, sigma) => (sigma === null ? 1 : Math.exp(-((x - center) ** 2) / (2 * sigma ** 2)));

/** Rules in words, as the server sends them. */
export const makeTexts = (R, then = ["cat", "dog"], more = {}) => range(R, (r) => ({
  rule: r + 1, if: [], features: ["size"], then: then[r % then.length], dead: false, support: 1 / R, measured: [],
  confidence: [0.25, 0.75], ...more,
}));
