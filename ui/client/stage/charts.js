// The charts of the stage: firing levels, entropy, and scores by epoch.

/** @import { View } from "../core/types.js" */

/** @param {Element} parent @returns {View} */
export function bars(parent) {
  return { draw() { parent.textContent = "bars"; } };
}

/** @param {Element} parent @returns {View} */
export function entropy(parent) {
  return { draw() { parent.textContent = "entropy"; } };
}

/** @param {Element} parent @returns {View} */
export function strip(parent) {
  return { draw() { parent.textContent = "strip"; } };
}
