// The scores of a selected epoch, in the place of those of the newest one, which the server writes (ui/explore/scores.py).

/** @import { State, View } from "../core/types.js" */

import { element } from "../core/elements.js";
import { comparisonLabel, difference, signed, threeDecimals } from "../core/text.js";

/**
 * A view: empty while the newest epoch is selected.
 * @param {Element} parent
 * @returns {View}
 */
export function tiles(parent) {
  return {
    draw(now) {
      const { epoch, shown, newest } = now;
      const past = epoch && !newest ? epoch : null;
      parent.classList.toggle("tsk-past", Boolean(past)); // ui/page.css shows either this view or the server's numbers
      if (!past) return parent.replaceChildren();
      const when = `${past.stage === "hold-out" ? "search, " : ""}epoch ${past.epoch}`;
      tile(parent, "rca", `Test accuracy (RCA), ${when}`, threeDecimals(past.rcaTest), changeText(now, "rcaTest"));
      tile(parent, "bca", `Test balanced accuracy (BCA), ${when}`, threeDecimals(past.bcaTest), changeText(now, "bcaTest"));
      tile(parent, "epoch", "Epoch selected", `${past.epoch} / ${shown.about.epochs ?? shown.epochs.at(-1)?.epoch}`, "");
    },
  };
}

/**
 * @param {Element} parent
 * @param {string} name
 * @param {string} label
 * @param {string} value
 * @param {string} less the difference to the comparison, "" for none
 */
function tile(parent, name, label, value, less) {
  const node = element(parent, "div", `tsk-tile-${name}`);
  element(node, "div", "tsk-tile-label").textContent = label;
  element(node, "span", "tsk-tile-value").textContent = value;
  element(node, "span", "tsk-tile-less").textContent = less && ` ${less}`;
}

/**
 * The score less that of the comparison in the same epoch, subtracted as displayed; "" where it has none, or other test rows.
 * @param {State} now
 * @param {"rcaTest" | "bcaTest"} field
 */
function changeText(now, field) {
  const { epoch, comparison } = now, score = epoch?.[field];
  const old = comparison.epochs.find((e) => e.epoch === epoch?.epoch && e.stage === epoch.stage)?.[field];
  if (score == null || old == null || !comparison.about.sameTestRows) return "";
  return `${signed(difference(score, old), 3)} vs ${comparisonLabel(now)}`;
}
