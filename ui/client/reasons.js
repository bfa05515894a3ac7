// The reasons of one row: which rules fire for it, what each adds to every class's score, and what would change it.

import { GREY, classColour, listed, percent, ruleColour } from "./colours.js";
import { cut, differing, valueOf } from "./columns.js";
import { conditions } from "./conditions.js";
import { button, element } from "./elements.js";
import { explain } from "./model.js";
import { decidedOf, pick, scene, watch } from "./sample.js";
import { whatIf } from "./whatif.js";

const RULES = 5; // that are named; the others are pooled
const CLASSES = 8; // that are listed: the most probable ones where there are more
const CHANGES = 3; // that are named

/** A view: the reasons of the row chosen, and sliders to change it. options: { data, rows, note } of ui/samples.py. */
export function reasons(parent, options) {
  const note = element(parent, "p", "tsk-caption");
  const bar = element(parent, "div", "tsk-pick", { role: "group", "aria-label": "Choose a row" });
  const head = element(parent, "p", "tsk-head", { role: "status" }), changed = element(parent, "p", "tsk-changed", { role: "status" });
  const rules = element(parent, "section", "tsk-rules"), classes = element(parent, "section", "tsk-classes");
  const sliders = whatIf(element(parent, "section", "tsk-whatif"));
  return {
    watch,
    draw(now) {
      const at = scene(now, options);
      note.textContent = [options.note, now.shown.trouble].filter(Boolean).join(" ");
      note.hidden = !note.textContent;
      for (const node of [head, changed, rules, classes]) node.hidden = !at;
      bar.hidden = !at?.table.rows;
      sliders.draw(at);
      if (!at) return;
      const why = explain(at.model, at.x), before = at.x === at.start ? why : explain(at.model, at.start);
      if (at.table.rows) chooser(bar, at);
      head.textContent = headline(at, why);
      changed.textContent = turned(at, before, why);
      ruleTable(rules, at, why);
      classTable(classes, at, why);
    },
  };
}

/** Choosing a row by its number, and going through the test rows decided wrong. */
function chooser(bar, at) {
  const { rows } = at.table, decided = decidedOf(at);
  const wrong = rows.row.map((_, n) => n).filter((n) => rows.part[n] === 1 && decided[n] !== rows.y[n]);
  const frame = element(bar, "label", "tsk-number");
  element(frame, "span", "tsk-label").textContent = "Row";
  const input = element(frame, "input", "tsk-input", { type: "number", min: 1, max: rows.row.at(-1) + 1, step: 1, "aria-label": "Row" });
  if (document.activeElement !== input) input.value = at.index === null ? "" : rows.row[at.index] + 1;
  input.onchange = () => { if (input.value !== "") pick(at, nearest(rows.row, Number(input.value) - 1)); };
  const go = (by) => {
    const here = at.index ?? -1;
    return by > 0 ? wrong.find((n) => n > here) ?? wrong[0] : wrong.findLast((n) => n < here) ?? wrong.at(-1);
  };
  const back = button(bar, "tsk-wrong-back", "◀ wrong", "Previous test row decided wrong", () => pick(at, go(-1)));
  const on = button(bar, "tsk-wrong-on", "wrong ▶", "Next test row decided wrong", () => pick(at, go(1)));
  back.disabled = on.disabled = !wrong.length;
  const words = element(bar, "span", "tsk-label");
  words.textContent = wrong.length ? `${wrong.length} of the ${rows.part.filter(Boolean).length} test rows drawn here are decided wrong` : "every test row drawn here is decided right";
}

/** The index of the row sent whose number is nearest. */
const nearest = (numbers, wanted) => numbers.reduce((best, n, k) => (Math.abs(n - wanted) < Math.abs(numbers[best] - wanted) ? k : best), 0);

function headline({ table: { rows, classes }, index, x, start, snapshot }, why) {
  const says = `${classes[why.decided]}, with a probability of ${percent(why.probabilities[why.decided])}`;
  const after = `after epoch ${snapshot.epoch}`;
  if (index === null) return `No row is chosen${rows ? ": click one in the plane" : ""}. For a typical row (medians and most frequent values of training) the model says ${says}, ${after}.`;
  const row = `Row ${rows.row[index] + 1} (${rows.part[index] ? "test" : "training"}) is ${classes[rows.y[index]]}`;
  if (x !== start) return `${row}. As changed, the model says ${says}, ${after}.`;
  return `${row}; the model says ${says}, ${after}: ${why.decided === rows.y[index] ? "right" : "wrong"}.`;
}

/** "With petal length 4.9 instead of 5.1 the decision turns from virginica to versicolor."; empty where nothing changed. */
function turned(at, before, after) {
  const { table, x, start } = at, features = differing(table, x, start);
  if (!features.length) return "";
  const said = features.map((feature) => `${feature.name} ${valueOf(table, feature, x)} instead of ${valueOf(table, feature, start)}`);
  const names = table.classes, sure = percent(after.probabilities[before.decided]), once = percent(before.probabilities[before.decided]);
  const end = before.decided === after.decided
    ? `the decision stays ${names[before.decided]}, with a probability of ${sure} instead of ${once}`
    : `the decision turns from ${names[before.decided]} to ${names[after.decided]}`;
  return `With ${listed(said, CHANGES)} ${end}.`;
}

/** The rules that fire most, what each speaks for, and the IF of the first. */
function ruleTable(parent, at, why) {
  const { firing, effective, entropy, contributions } = why, { classes } = at.table;
  const order = Array.from(firing, (_, r) => r).sort((a, b) => firing[b] - firing[a]), [first] = order;
  const rows = order.slice(0, RULES).map((r) => {
    const best = contributions[r].indexOf(Math.max(...contributions[r]));
    return [`Rule ${r + 1}`, firing[r], ruleColour(r, at.dark), firing[r] > 0 ? classes[best] : ""];
  });
  const rest = order.slice(RULES).reduce((sum, r) => sum + firing[r], 0);
  if (order.length > RULES) rows.push([order.length - RULES > 1 ? `${order.length - RULES} others` : "1 other", rest, GREY, ""]);
  title(parent, "Rules that decide");
  const body = table(parent, ["Rule", "Firing level", "", "Speaks for"], rows.length);
  rows.forEach(([name, level, colour, speaks], k) => {
    const cells = body.rows[k].cells;
    cells[0].replaceChildren(named(colour, "tsk-rule", [name]));
    cells[1].textContent = percent(level);
    bars(cells[2], [[0, level, colour]]);
    cells[3].replaceChildren(...breaking(cut(speaks, 40)));
  });
  const said = conditions(at, first), words = element(parent, "p", "tsk-if");
  const then = rows[0].at(-1);
  words.textContent = `Rule ${first + 1} fires most: IF ${said.join(" AND ") || "anything"}${then && ` THEN ${then}`}.`;
  const shared = element(parent, "p", "tsk-caption");
  const silent = firing.reduce((sum, f) => sum + f, 0) < 0.5 ? " This row is so far from every rule that hardly any fires." : "";
  shared.textContent = `Entropy ${entropy.toFixed(2)}: as if ${effective.toFixed(1)} ${effective < 1.05 ? "rule" : "rules"} shared the decision.${silent}`;
}

/** Each class's score as a sum over rules, and its probability. */
function classTable(parent, at, why) {
  const { probabilities } = why, { classes } = at.table, C = classes.length;
  const listedClasses = probabilities.map((_, c) => c).sort((a, b) => probabilities[b] - probabilities[a]).slice(0, CLASSES).sort((a, b) => a - b);
  const parts = shares(why, at.dark), most = Math.max(1e-300, ...listedClasses.flatMap((c) => extent(parts.map(({ values }) => values[c]))));
  title(parent, "What each rule adds to each class");
  const body = table(parent, ["Class", "Probability", "Less likely ◂ ▸ more likely", "Score"], listedClasses.length);
  listedClasses.forEach((c, k) => {
    const cells = body.rows[k].cells, values = parts.map(({ values: of }) => of[c]);
    const words = breaking(classes[c]);
    cells[0].replaceChildren(named(classColour(c, at.dark), "tsk-class", c === why.decided ? [strong(words)] : words));
    cells[1].textContent = percent(probabilities[c]);
    bars(cells[2], stacked(values, most, parts));
    cells[2].title = parts.map(({ name }, p) => `${name} ${signed(values[p])}`).join(", ");
    cells[3].textContent = signed(values.reduce((sum, v) => sum + v, 0));
  });
  const key = element(parent, "p", "tsk-key");
  key.replaceChildren(...parts.flatMap(({ name, colour }) => [named(colour, "tsk-rule", [name]), " "]));
  const more = C > listedClasses.length ? ` The other ${C - listedClasses.length} classes have a probability of ${percent(1 - listedClasses.reduce((sum, c) => sum + probabilities[c], 0))} together.` : "";
  element(parent, "p", "tsk-caption").textContent = `A rule adds its firing level times its own score of the class; the mean over classes is taken off each, which changes no probability, so that the bars can be compared.${more}`;
}

/** What the rules that add most, and all others together, add to each class: { name, colour, values [C] }. */
export function shares({ contributions }, dark) {
  const centred = contributions.map((row) => { const mean = row.reduce((a, b) => a + b, 0) / row.length; return row.map((v) => v - mean); });
  const weight = centred.map((row) => Math.max(...row.map(Math.abs)));
  const order = weight.map((_, r) => r).sort((a, b) => weight[b] - weight[a]), rest = order.slice(RULES);
  const parts = order.slice(0, RULES).map((r) => ({ name: `rule ${r + 1}`, colour: ruleColour(r, dark), values: centred[r] }));
  if (rest.length) parts.push({ name: "others", colour: GREY, values: centred[0].map((_, c) => rest.reduce((sum, r) => sum + centred[r][c], 0)) });
  return parts;
}

const extent = (values) => [values.reduce((sum, v) => sum + Math.max(v, 0), 0), values.reduce((sum, v) => sum + Math.max(-v, 0), 0)];
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** Values as pieces of a bar from its middle: what speaks for the class to the right, what speaks against it to the left. */
function stacked(values, most, parts) {
  const ends = { up: 0.5, down: 0.5 };
  return values.map((value, p) => {
    const length = Math.abs(value) / most / 2, from = value < 0 ? (ends.down -= length) : ends.up;
    if (value >= 0) ends.up += length;
    return [from, length, parts[p].colour];
  });
}

/** Pieces [from, length, colour] of a bar, as shares of its width; the numbers beside it say the same. */
function bars(cell, pieces) {
  const bar = element(cell, "div", "tsk-bar", { "aria-hidden": "true" });
  while (bar.children.length > pieces.length) bar.lastChild.remove();
  pieces.forEach(([from, length, colour], k) => {
    const piece = bar.children[k] ?? bar.appendChild(document.createElement("i"));
    Object.assign(piece.style, { left: `${100 * from}%`, width: `${100 * length}%`, background: colour });
  });
}

function title(parent, text) {
  element(parent, "h4", "tsk-title").textContent = text;
}

/** The body of a table with these headings and so many rows, which stays where it is from one drawing to the next. */
function table(parent, headings, rows) {
  const node = element(parent, "table", "tsk-table");
  if (!node.tHead) {
    const head = node.createTHead().insertRow();
    for (const heading of headings) head.appendChild(Object.assign(document.createElement("th"), { textContent: heading, scope: "col" }));
    node.createTBody();
  }
  const [body] = node.tBodies;
  while (body.rows.length > rows) body.deleteRow(-1);
  while (body.rows.length < rows) {
    const row = body.insertRow();
    row.appendChild(Object.assign(document.createElement("th"), { scope: "row" }));
    for (let k = 1; k < headings.length; k++) row.insertCell();
  }
  return body;
}

/** Words with a piece of colour before them, on one line with it: square for a class, round for a rule, as both have the same few colours. */
function named(colour, kind, words) {
  const node = document.createElement("span"), swatch = node.appendChild(document.createElement("i"));
  node.className = "tsk-named";
  swatch.className = `tsk-swatch ${kind}`;
  swatch.style.background = colour;
  node.append(...words);
  return node;
}

/** A name that breaks after "_" before it breaks anywhere else. */
const breaking = (name) => name.split(/(?<=_)/).flatMap((part, k) => (k ? [document.createElement("wbr"), part] : [part]));

function strong(words) {
  const node = document.createElement("b");
  node.append(...words);
  return node;
}
