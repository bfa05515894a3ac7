// The numbers of a run in the formulas of its charts, at the selected epoch, as sentences; see core/explaining.js.

/** @import { Epoch, State } from "../core/types.js" */

import { difference, few, subscript, minus, percent, sum, sumText, threeDecimals, timesText, truncated, written } from "../core/text.js";
import { evaluationOf } from "./evaluation.js";
import { DOUBLINGS, histogram, meanEntropy } from "./firing.js";
import { PENALTIES } from "./training_curves.js";

const LEAST_SUM = 0.999; // of firing levels that add up to 1 but for their digits
const NAME = 24; // characters of a class
/** @type {Record<string, Numbers>} */
export const NUMBERS = { loss, accuracy, gradients, firing, heat, shares, entropy, confusion, reliability };

/** @typedef {(now: State) => string[]} Numbers */

/**
 * An epoch that has been trained: before training there is no loss.
 * @param {State} now
 */
const trained = ({ epoch }) => (epoch && epoch.epoch > 0 ? epoch : null);

/** What separate trainings have drawn. @param {State} now */
const meanOf = ({ shown }) => (shown.about.trainings ? [`Each number is the mean over ${shown.about.trainings} separate trainings, each with its own rules.`] : []);

/** @type {Numbers} */
function loss(now) {
  const e = trained(now), parts = PENALTIES.filter(({ field }) => now.shown.epochs.some((one) => one[field] > 0));
  if (!e) return [];
  const values = [e.ce, ...parts.map(({ field }) => e[field])], names = ["CE", ...parts.map(({ name }) => name)];
  const above = parts.some(({ field }) => field === "ur") ? ", UR above its minimum" : "";
  if (values.length === 1) return [`Epoch ${e.epoch}: L = CE = ${threeDecimals(e.ce)}; this run has no penalties.`, ...meanOf(now)];
  const share = e.ce / sum(values);
  return [`Epoch ${e.epoch}${above}: ${names.join(" + ")} = ${sumText(values)}.`, `The cross-entropy is ${percent(share, 0)} of that.`, ...meanOf(now)];
}

/** @type {Numbers} */
function accuracy(now) {
  const e = trained(now), { baseline } = now.shown.about;
  if (!e) return [];
  if (e.stage === "hold-out") return [`Epoch ${e.epoch} of the search: validation BCA ${threeDecimals(e.bcaValidation)}.`];
  const counts = countsOf(now, e);
  const lines = counts
    ? scoreLines(counts)
    : [`Epoch ${e.epoch}: test RCA = ${threeDecimals(e.rcaTest)}, test BCA = ${threeDecimals(e.bcaTest)}. The counts of rows are known for the epochs of the tab Mistakes.`];
  if (baseline != null && e.rcaTest !== null) {
    const less = minus(threeDecimals(difference(e.rcaTest, baseline)));
    lines.push(`Minus the RCA of a logistic regression: ${threeDecimals(e.rcaTest)} − ${threeDecimals(baseline)} = ${less}.`);
  }
  return lines;
}

/**
 * The confusion matrix of exactly this epoch, if it is known: its RCA is the one that is drawn.
 * @param {State} now
 * @param {Epoch} epoch
 */
function countsOf(now, epoch) {
  const { about, evaluations } = now.shown;
  const known = [...evaluations.filter((one) => one.epoch === epoch.epoch), ...(about.ended && now.newest ? [about] : [])];
  const counts = known.map(({ confusion: matrix }) => matrix).filter((matrix) => matrix != null);
  return counts.find((matrix) => Math.abs(rca(matrix) - (epoch.rcaTest ?? NaN)) < 1e-5) ?? null;
}

/** @param {number[][]} counts */
const rca = (counts) => sum(counts.map((row, c) => row[c])) / sum(counts.map(sum));

/**
 * RCA and BCA from their counts.
 * @param {number[][]} counts
 */
function scoreLines(counts) {
  const rows = counts.map(sum), right = counts.map((row, c) => row[c]), known = rows.flatMap((n, c) => (n ? [c] : []));
  if (!known.length) return [];
  const recalls = known.map((c) => right[c] / rows[c]);
  return [
    `RCA = (${few(right.map(String)).join(" + ")}) / ${sum(rows)} = ${threeDecimals(sum(right) / sum(rows))}`,
    `BCA = (${few(known.map((c) => `${right[c]}/${rows[c]}`)).join(" + ")}) / ${known.length} = ${threeDecimals(sum(recalls) / known.length)}`,
  ];
}

/** @type {Numbers} */
function gradients(now) {
  const e = trained(now);
  if (!e) return [];
  const [cons, ante] = [e.gradConsequents, e.gradAntecedents].map((value) => value.toPrecision(3));
  const ratio = Number(ante) > 0 ? [`${cons} / ${ante} = ${(Number(cons) / Number(ante)).toPrecision(3)}.`] : [];
  return [`Epoch ${e.epoch}: consequents ${cons}, antecedents ${ante}.`, ...ratio, ...meanOf(now)];
}

/** The rules with the highest and the lowest level, from 0. @param {number[]} levels */
const ends = (levels) => [levels.indexOf(Math.max(...levels)), levels.indexOf(Math.min(...levels))];

/** @type {Numbers} */
function firing({ epoch, shown }) {
  if (!epoch) return [];
  const levels = epoch.firing, R = levels.length, rows = sum(epoch.entropy), total = sum(levels), equal = 1 / R;
  const times = (/** @type {number} */ r) => `f̄${subscript(r + 1)} · R = ${timesText(levels[r], R)} times an equal share`;
  const [most, least] = ends(levels);
  const lines = [`1/R = 1/${R} = ${threeDecimals(equal)}.`, `Most active: ${times(most)}.`];
  if (R > 1) lines.push(`Least active: ${times(least)}.`);
  lines.push(`Σ f̄ = ${threeDecimals(total)}.`);
  if (total > LEAST_SUM && !shown.about.trainings) lines.push(`Σ (f̄ − 1/R)² = ${sum(levels.map((level) => (level - equal) ** 2)).toPrecision(3)}: UR above its minimum, without λ, over all training rows.`);
  if (rows) lines.push(`A rule hardly fires below 0.2/R = ${(0.2 * equal).toPrecision(2)}, never below 1/(R · N) = 1/(${R} · ${rows}) = ${(equal / rows).toPrecision(2)}.`);
  return lines;
}

/** @type {Numbers} */
function heat({ epoch }) {
  if (!epoch) return [];
  const R = epoch.firing.length;
  return [...new Set(ends(epoch.firing))].map((r) => {
    const times = epoch.firing[r] * R, doubled = Math.log2(times), cut = Math.abs(doubled) > DOUBLINGS;
    const end = cut ? `, drawn as ${doubled < 0 ? "−" : ""}${DOUBLINGS}, the end of the scale` : "";
    const value = times > 0 ? minus(doubled.toFixed(2)) : "−∞";
    return `Rule ${r + 1} in epoch ${epoch.epoch}: log₂(${written([epoch.firing[r]], ([level]) => Math.log2(level * R).toFixed(2), doubled.toFixed(2))[0]} × ${R}) = ${value}${end}.`;
  });
}

/** @type {Numbers} */
function shares({ epoch }) {
  if (!epoch) return [];
  const R = epoch.firing.length, [most] = ends(epoch.firing);
  return [`Epoch ${epoch.epoch}: the highest is f̄${subscript(most + 1)}; f̄${subscript(most + 1)} · R = ${timesText(epoch.firing[most], R)} times an equal share, 1/${R}.`];
}

/** @type {Numbers} */
function entropy({ epoch }) {
  if (!epoch) return [];
  const { shares: parts } = histogram(epoch), R = epoch.firing.length, rows = sum(epoch.entropy);
  if (!rows) return [];
  const mean = meanEntropy(epoch);
  return [
    `R = ${R}: log R = ${threeDecimals(Math.log(R))}.`,
    `The mean of the bars is E = ${mean.toFixed(2)}: exp ${mean.toFixed(2)} = ${Math.exp(Number(mean.toFixed(2))).toFixed(1)} rules that fire equally.`,
    `In the lowest bar: ${epoch.entropy[0]} of ${rows} training rows, ${epoch.entropy[0]}/${rows} = ${percent(parts[0])}.`,
  ];
}

/** @type {Numbers} */
function confusion(now) {
  const { confusion: counts, classes, when } = evaluationOf(now);
  if (!counts) return [];
  const recalls = counts.map((row, c) => (sum(row) ? row[c] / sum(row) : Infinity)), lowest = recalls.indexOf(Math.min(...recalls));
  if (recalls[lowest] === Infinity) return [];
  const name = truncated(classes[lowest], NAME), of = sum(counts[lowest]);
  return [
    `Lowest recall${when}, of ${name}: ${counts[lowest][lowest]}/${of} = ${percent(recalls[lowest])}.`, ...scoreLines(counts),
  ];
}

/** @type {Numbers} */
function reliability(now) {
  const { reliability: bins, ece, when } = evaluationOf(now);
  if (!bins || ece == null) return [];
  const full = bins.count.flatMap((n, k) => (n ? [k] : [])), N = sum(bins.count);
  const gap = (/** @type {number} */ k) => Math.abs(Number(bins.accuracy[k]) - Number(bins.confidence[k]));
  const terms = full.map((k) => (bins.count[k] / N) * gap(k)), worst = full[terms.indexOf(Math.max(...terms))];
  const [acc, conf] = [bins.accuracy[worst], bins.confidence[worst]].map((value) => threeDecimals(value));
  return [
    `The bin that adds most${when}: ${bins.count[worst]}/${N} · |${acc} − ${conf}| = ${threeDecimals(Math.max(...terms))}.`,
    `ECE, the sum over ${full.length} bins: ${sumText(terms)}.`,
  ];
}
