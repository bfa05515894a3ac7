// The conditions of the rules at the selected epoch as a grid, in which people watch them disappear while a run trains.

/** @import { Strengths } from "../core/messages.js" */
/** @import { MountOptions, Run, State, View } from "../core/types.js" */

import { conditionsText } from "../charts/conditions_text.js";
import { gridModel, ruleGrid } from "../charts/rule_grid.js";
import { element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { atEpoch } from "../core/store.js";
import { strengthLines } from "./explained.js";
import { svg } from "../core/svg.js";

const [WIDE, TALL] = [160, 24]; // of the line, in pixels
const MEANING = "A cell is a condition, in the colour of its rule's class: the narrower its range, the stronger. It fades as the range widens (σ grows), and vanishes when the rule drops the condition. Sentences also leave out conditions that exclude no row.";

/**
 * A view: the grid, folded below a line that says how many conditions there are.
 * @param {Element} parent
 * @param {Partial<MountOptions>} [options]
 * @returns {View}
 */
export function strengths(parent, options = {}) {
  const fold = element(parent, "details", "tsk-conditions-fold");
  if (!fold.dataset.mounted) fold.open = true;
  fold.dataset.mounted = "yes";
  const title = element(fold, "summary", "tsk-summary"), text = element(title, "span", "tsk-text"), line = element(title, "span", "tsk-line");
  const draw = ruleGrid(fold), caption = element(fold, "p", "tsk-caption");
  const explain = explaining(element(fold, "div", "tsk-tools"), fold, "strengths", "Rules × features", options);
  /** @type {unknown[]} */
  let drawn = [];
  return {
    node: fold,
    draw(now) {
      const { shown, dark, epoch } = now, record = atEpoch(shown.strengths, now);
      fold.hidden = !record || !shown.features.length || Boolean(atEpoch(shown.ruleBases, now)?.list); // which has a grid of its own
      const key = [record, epoch, dark, shown.epochs.length];
      if (!record || fold.hidden || key.every((value, k) => value === drawn[k])) return;
      drawn = key;
      const input = gridInput(record, shown, epoch?.dead ?? []), model = gridModel(input);
      text.textContent = `Rules × features: ${model.text}`;
      conditionsLine(line, now);
      draw(model, shown.classes, dark);
      const left = model.hidden ? ` The ${model.hidden} features without a column are used by ${model.hiddenUsed ? "few rules or none" : "no rule"}.` : "";
      caption.textContent = `${MEANING}${left} ${conditionsText(now)}`.trim();
      explain(() => strengthLines(input.features, input.levels));
    },
  };
}

/**
 * @param {Strengths} record
 * @param {Run} run
 * @param {number[]} dead
 */
function gridInput(record, { features, classes }, dead) {
  const bytes = Uint8Array.from(atob(record.strengths), (c) => c.charCodeAt(0)), F = features.length;
  const levels = Array.from({ length: bytes.length / F }, (_, r) => Array.from(bytes.subarray(r * F, (r + 1) * F), (byte) => byte / 255));
  return { features, classes, levels, then: record.classes ?? levels.map(() => null), dead };
}

/**
 * The number of conditions by epoch as a small line, with a dot at the selected epoch.
 * @param {HTMLElement} place
 * @param {State} now
 */
function conditionsLine(place, { shown, index }) {
  const counts = shown.epochs.map(({ conditions }) => conditions ?? 0), most = Math.max(1, ...counts);
  const across = (WIDE - 4) / Math.max(1, counts.length - 1), up = (TALL - 4) / most;
  const at = (/** @type {number} */ k) => [2 + k * across, TALL - 2 - counts[k] * up];
  place.replaceChildren();
  if (counts.length < 2 || counts.every((count) => count === most)) return;
  const label = `Conditions by epoch: ${counts[0]} at first, ${counts[index]} at the selected epoch.`;
  const picture = svg(place, "svg", { width: WIDE, height: TALL, role: "img", "aria-label": label });
  svg(picture, "polyline", { points: counts.map((_, k) => at(k).map((v) => v.toFixed(1)).join(",")).join(" "), class: "tsk-conditions-line" });
  const [cx, cy] = at(index);
  svg(picture, "circle", { cx, cy, r: 2.5, class: "tsk-conditions-dot" });
}
