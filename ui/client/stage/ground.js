// The large picture of the stage: the plane, or the grid of rules and features.

/** @import { MountOptions, View } from "../core/types.js" */

import { element } from "../core/elements.js";
import { sceneOf } from "../model/selection.js";
import { drawingIn } from "../plane/drawing.js";

/** @param {Element} parent @param {MountOptions} options @returns {View} */
export function ground(parent, options) {
  const node = element(parent, "div", "tsk-chart", { role: "img" });
  return {
    draw(now) {
      const scene = sceneOf(now, options);
      if (scene && node.clientWidth) drawingIn(node).draw(scene, false);
    },
  };
}
