// One rule as a sentence: the kept one, the one under the pointer, or the one that fires most.

/** @import { MountOptions, View } from "../core/types.js" */

/** @param {Element} parent @param {MountOptions} options @returns {View} */
export function sentence(parent, options) {
  return { draw() { parent.textContent = `sentence of ${options.run}`; } };
}
