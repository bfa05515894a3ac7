// The eye: a button that takes a rule or a condition out, and puts it back.

import { element } from "../core/elements.js";
import { svg } from "../core/svg.js";

const LID = "M1 8 C4 3 12 3 15 8 C12 13 4 13 1 8 Z", PUPIL = "M8 5.5 A2.5 2.5 0 1 0 8 10.5 A2.5 2.5 0 1 0 8 5.5 Z", STROKE = "M2 14 L14 2";

/**
 * @param {Element} parent
 * @param {string} what such as "rule 3"
 * @param {boolean} out
 * @param {() => void} press
 */
export function ablationToggle(parent, what, out, press) {
  const name = out ? `Put ${what} back` : `Take ${what} out`;
  const node = element(parent, "button", "tsk-eye", { type: "button", "aria-pressed": String(out), "aria-label": name, title: name });
  node.onclick = press;
  if (!node.firstChild) {
    const picture = svg(node, "svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    for (const d of [LID, PUPIL, STROKE]) svg(picture, "path", { d });
  }
  return node;
}
