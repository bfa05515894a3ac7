// What if: the features of a row as sliders, numbers and selects; whatever is changed shows at once, with no training.

import { written } from "./columns.js";
import { button, element } from "./elements.js";
import { back, change } from "./sample.js";

const STEPS = 200; // that a slider's values are told apart by
const FIRST = 12; // features that are shown at once; the others unfold

/** The sliders in `parent`; returns { draw(scene or null) }. */
export function whatIf(parent) {
  let built = null; // the table that the fields are of, and how each is brought up to date
  let last = null;
  return {
    draw(at) {
      parent.hidden = !at;
      last = at;
      if (!at) return;
      if (built?.table !== at.table) built = { table: at.table, fields: build(parent, at.table, () => last) };
      parent.querySelector(".tsk-undo").disabled = at.x === at.start;
      parent.querySelector(".tsk-undo").textContent = at.index === null ? "Back to the typical row" : "Back to the sample";
      for (const field of built.fields) field(at);
    },
  };
}

function build(parent, table, now) {
  const order = table.told.filter((k) => changeable(table, table.features[k]));
  parent.replaceChildren();
  element(parent, "h4", "tsk-title").textContent = "What if?";
  const undo = button(parent, "tsk-undo", "Back to the sample", "Back to the sample", back);
  for (const name of ["aria-label", "title"]) undo.removeAttribute(name); // its words change
  const grid = element(parent, "div", "tsk-fields"), fields = order.slice(0, FIRST).map((k) => field(grid, table, table.features[k], now));
  const rest = order.slice(FIRST);
  if (!rest.length) return fields;
  const more = element(parent, "details", "tsk-more");
  element(more, "summary", "tsk-summary").textContent = `${rest.length} more ${rest.length > 1 ? "features" : "feature"}, which hold the classes less apart`;
  more.ontoggle = () => { // built for those who look
    if (!more.open || more.querySelector(".tsk-fields")) return;
    const inner = element(more, "div", "tsk-fields");
    const added = rest.map((k) => field(inner, table, table.features[k], now));
    for (const one of added) one(now());
    fields.push(...added);
  };
  return fields;
}

/** A category with one value cannot be changed. */
const changeable = (table, { kind, columns }) => kind === "number" || columns.length > 1;

function field(grid, table, feature, now) {
  const frame = grid.appendChild(document.createElement("div"));
  frame.className = "tsk-field";
  const words = element(frame, "span", "tsk-name");
  words.textContent = words.title = feature.name;
  return feature.kind === "number" ? numberField(frame, table, feature, now) : categoryField(frame, table, feature, now);
}

function numberField(frame, table, { name, columns: [d] }, now) {
  const column = table.columns[d];
  const slider = element(frame, "input", "tsk-slider", { type: "range", min: column.low, max: column.high, step: "any", "aria-label": name });
  const number = element(frame, "input", "tsk-input", { type: "number", step: "any", "aria-label": `${name}, as a number` });
  slider.disabled = column.low === column.high;
  slider.oninput = () => change({ [d]: near(Number(slider.value), now().start[d], column) });
  number.oninput = () => { if (number.value !== "" && Number.isFinite(number.valueAsNumber)) change({ [d]: number.valueAsNumber }); };
  return (at) => {
    if (Number(slider.value) !== at.x[d]) slider.value = at.x[d];
    const text = written(at.x[d], column);
    slider.setAttribute("aria-valuetext", text);
    if (document.activeElement !== number) number.value = text;
  };
}

/** What a slider is set to, with digits that matter; the row's own value where it is as near as that. */
function near(value, start, column) {
  const text = written(value, column, STEPS);
  return written(start, column, STEPS) === text ? start : Number(text);
}

function categoryField(frame, table, { name, columns }, now) {
  const node = element(frame, "select", "tsk-select", { "aria-label": name });
  node.replaceChildren(new Option("none of these", ""), ...columns.map((d) => new Option(String(table.columns[d].category), d)));
  node.onchange = () => change(Object.fromEntries(columns.map((d) => [d, Number(String(d) === node.value)])));
  return (at) => { node.value = columns.find((d) => at.x[d] > 0.5) ?? ""; };
}
