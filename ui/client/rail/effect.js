// What a setting did, in one line.

/** @import { Epoch, State } from "../core/types.js" */

import { meanEntropy } from "../charts/firing.js";
import { difference, fixed, signed, withoutZero } from "../core/text.js";

/**
 * By how much the newest epoch of the run shown differs from that of the comparison, where this setting alone distinguishes them; else "".
 * Whether more than chance tells their accuracy apart is known once the run has ended.
 * @param {State} now
 * @param {string} key of the setting
 */
export function effectOf({ shown, comparison }, key) {
  const after = shown.epochs.at(-1), before = comparison.epochs.at(-1);
  if (!after || !before || comparison.about.changed !== key) return "";
  const parts = [accuracyText(before, after, shown.about.ended ? comparison.about : {})];
  parts.push(`largest share ${short(largest(before))} → ${short(largest(after))}`);
  const measured = [before, after].filter(({ entropy }) => entropy.length);
  if (measured.length === 2) parts.push(`entropy ${measured.map((one) => withoutZero(fixed(meanEntropy(one), 1))).join(" → ")}`);
  return parts.filter(Boolean).join(" · ");
}

/** @param {Epoch} before @param {Epoch} after @param {{ ended?: boolean, sameTestRows?: boolean, clear?: { rca: boolean } }} pair */
function accuracyText({ rcaTest: before }, { rcaTest: after }, { sameTestRows = true, clear }) {
  if (before === null || after === null || !sameTestRows) return "";
  const change = difference(after, before), text = `Accuracy ${change ? withoutZero(signed(change, 3)) : "unchanged"}`;
  return change && clear && !clear.rca ? `${text} (within chance)` : text;
}

/** @param {Epoch} epoch */
const largest = ({ firing }) => Math.max(...firing);

/** @param {number} share */
const short = (share) => withoutZero(fixed(share, 2));
