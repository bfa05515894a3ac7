// Options to choose one from, as radio buttons.

/** @import { Editor } from "./types.js" */

import { element } from "../core/elements.js";

/** @type {Editor} */
export function choices(parent, question, drawing, change) {
  const group = element(parent, "div", "tsk-choices", { role: "radiogroup", "aria-label": "Your prediction" });
  question.options.forEach((text, k) => {
    const line = element(group, "label", `tsk-choice-${k}`), chosen = drawing.values[0] === k;
    line.classList.add("tsk-choice");
    line.classList.toggle("tsk-chosen", chosen);
    const radio = element(line, "input", "tsk-radio", { type: "radio", name: `tsk-choice-${question.id ?? ""}` });
    radio.checked = chosen;
    radio.disabled = question.locked;
    radio.onchange = () => change([k]);
    element(line, "span", "tsk-choice-text").textContent = text;
  });
}
