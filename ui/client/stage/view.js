// The stage: the plane, the firing levels, their entropy, scores by epoch and one rule as a sentence, all of the selected epoch and in one
// look. A rule that is pointed at, or kept by a click, is marked on all of them: `pointed` and `kept` of the store.

/** @import { MountOptions, State, View } from "../core/types.js" */

import { element } from "../core/elements.js";
import { watch } from "../model/selection.js";
import { bars } from "./bars.js";
import { card } from "./card.js";
import { entropy } from "./entropy.js";
import { ground } from "./ground.js";
import { letGoOnEscape, markedRule } from "./marking.js";
import { sentence } from "./sentence.js";
import { strip } from "./strip.js";

/**
 * A view. options: { run, data, rows } of ui/explore/run_panel.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function stage(parent, options) {
  const node = element(parent, "div", "tsk-stage");
  const parts = [
    ground(element(node, "div", "tsk-stage-ground"), options), bars(element(node, "div", "tsk-stage-bars")),
    entropy(element(node, "div", "tsk-stage-entropy")), strip(element(node, "div", "tsk-stage-strip")),
    sentence(element(node, "div", "tsk-stage-sentence"), options), card(element(node, "aside", "tsk-stage-card"), options),
  ];
  letGoOnEscape(node);
  return {
    node,
    watch,
    draw(/** @type {State} */ now) {
      node.classList.toggle("tsk-marked", markedRule(now) !== null);
      if (node.clientWidth) for (const { draw } of parts) draw(now); // else in a hidden tab
    },
  };
}
