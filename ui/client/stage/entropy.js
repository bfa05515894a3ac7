// The entropy of the firing levels of each training row, as a histogram from 0, one rule, to log R, all rules equally.

/** @import { Epoch, State, View } from "../core/types.js" */
/** @import { Place } from "./panel.js" */

import { blue } from "../core/colours.js";
import { comparisonLabel, counted, fixed, percent } from "../core/text.js";
import { histogram, meanEntropy } from "../charts/firing.js";
import { calmTop, leftAxis, outline, outlinePath, panel, part, put, ticksOf } from "./panel.js";

const NONE = "The entropy of firing levels comes with the first epoch", NOT_MEASURED = "No entropy was measured in this epoch";
/** @type {WeakMap<Epoch, ReturnType<typeof histogram> & { mean: number }>} */
const known = new WeakMap();
const NARROW = 25; // times the font size: there is no room for words at both ends

/** @param {Element} parent @returns {View} */
export const entropy = (parent) => panel(parent, () => drawEntropy);

/**
 * What is drawn: the histogram of the selected epoch, null where none was measured; that of the first one, and of the comparison's end.
 * widest: log R of the run with most rules. top: the end of the scale of shares.
 * @param {State} now
 */
export function entropyOf({ epoch, index, shown, comparison }) {
  const selected = measured(epoch), first = index > 0 ? measured(shown.epochs[0]) : null, compared = measured(comparison.epochs.at(-1));
  const all = [selected, first, compared].filter((one) => one !== null);
  const highest = (/** @type {Epoch} */ one) => Math.max(0, ...(measured(one)?.shares ?? []));
  const top = calmTop(shown, epoch, highest, Math.max(0.05, ...(first?.shares ?? []), ...(compared?.shares ?? [])));
  return { selected, first, compared, widest: Math.max(0, ...all.map(({ largest }) => largest)) || 1, top: Math.min(1, top) };
}

/**
 * The histogram of an epoch and its mean; null where nothing was measured. A replay asks for all epochs again at each frame.
 * @param {Epoch | null | undefined} epoch
 */
function measured(epoch) {
  if (!epoch?.entropy.some((rows) => rows > 0)) return null;
  const found = known.get(epoch) ?? { ...histogram(epoch), mean: epoch.firing.length > 1 ? meanEntropy(epoch) : 0 };
  known.set(epoch, found);
  return found;
}

/**
 * The finding of the chart.
 * @param {Epoch} epoch
 */
export function entropyTitle(epoch) {
  const R = epoch.firing.length, mean = meanEntropy(epoch), rules = Math.max(1, Math.round(Math.exp(mean)));
  if (R === 1) return "One rule: the entropy of its firing level is 0";
  const fire = `about ${counted(rules, "rule")} ${rules === 1 ? "fires" : "fire"} per row`;
  return `Mean entropy ${fixed(mean, 1)} of ${fixed(Math.log(R), 1)}: ${fire}`;
}

/** @param {Place} place @param {State} now */
function drawEntropy({ say, node, size, width, height }, now) {
  const { selected, first, compared, widest, top } = entropyOf(now), { epoch } = now;
  const box = { left: 3 * size, right: width - 2, size }, bottom = height - 1.5 * size;
  const x = (/** @type {number} */ value) => box.left + (value / widest) * (box.right - box.left);
  const y = (/** @type {number} */ share) => bottom - (share / top) * (bottom - 0.5 * size);
  const drawn = (/** @type {typeof selected} */ one) => (one ? outlinePath(one.shares, (k) => x((k * one.largest) / one.shares.length), y) : "");
  const title = epoch && selected ? entropyTitle(epoch) : epoch?.epoch ? NOT_MEASURED : NONE, any = selected ?? compared;
  const notes = [compared ? `outline: ${comparisonLabel(now)}` : "", first ? "dotted: first epoch" : "", any ? "share of rows" : ""];
  say(title, notes.filter(Boolean).join(" · "));
  const lowest = selected ? ` ${percent(selected.shares[0])} of the training rows are in the lowest bar.` : "";
  put(node, { role: "img", "aria-label": `Entropy of the firing levels. ${title}.${lowest}` });
  leftAxis(node, any ? ticksOf(top) : [], (share) => `${Number((100 * share).toPrecision(2))}%`, y, box);
  part(node, "path", "tsk-stage-rows", { d: drawn(selected), fill: blue(now.dark) });
  part(node, "path", "tsk-stage-first", { d: drawn(first) });
  outline(node, "tsk-stage-compared", drawn(compared));
  const upright = (/** @type {number | undefined} */ at) => ({ d: at === undefined ? "" : `M${x(at).toFixed(1)},${bottom}V${0.5 * size}` });
  part(node, "path", "tsk-stage-mean", upright(selected?.mean));
  part(node, "path", "tsk-stage-equal", upright(any?.largest));
  nameEnds(node, any ? { low: box.left, high: x(any.largest), y: bottom + 1.15 * size, size } : null);
}

/**
 * What both ends of the axis mean.
 * @param {Element} node
 * @param {{ low: number, high: number, y: number, size: number } | null} at null where there is nothing
 */
function nameEnds(node, at) {
  const { low, high, y, size } = at ?? { low: 0, high: 0, y: 0, size: 0 }, short = high - low < NARROW * size;
  part(node, "text", "tsk-stage-low", { x: low, y }, !at ? "" : short ? "0" : "0: one rule fires");
  part(node, "text", "tsk-stage-high", { x: high.toFixed(1), y, "text-anchor": "end" }, !at ? "" : short ? "log R" : "log R: all rules fire equally");
}
