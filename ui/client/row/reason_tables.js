// The two tables of a row's reasons: the rules that fire for it, and what each contributes to every class's score.

/** @import { RuleBase } from "../core/types.js" */
/** @import { Explanation, Scene } from "../model/types.js" */

import { GREY, classColours, ruleColour } from "../core/colours.js";
import { childrenOf, element, withExplanation, withSwatch } from "../core/elements.js";
import { joined, percent, signed, truncated } from "../core/text.js";
import { conditionsOf } from "../model/conditions.js";
import { weightName } from "../model/inference.js";

const RULES = 5; // that are named; the others are pooled
const SENTENCES = 4; // rules whose conditions are shown, where they fire to LEAST
const LEAST = 0.05;
const CLASSES = 8; // that are listed: the most probable ones where there are more

/**
 * A piece of a bar: [from, length, colour], as shares of its width.
 * @typedef {[number, number, string]} Piece
 */

/**
 * What a rule, or all others together, contribute to each class [C].
 * @typedef {{ name: string, colour: string, values: number[] }} Part
 */

/**
 * The rules that fire most, the class that each adds most to, and the sentence of the first.
 * @param {Element} parent
 * @param {Scene} scene
 * @param {Explanation} why
 * @param {RuleBase | null | undefined} sentences at the epoch of the scene
 */
export function ruleTable(parent, scene, why, sentences) {
  const { firing, contributions } = why, { classes } = scene.table;
  const order = Array.from(firing, (_, r) => r).sort((a, b) => firing[b] - firing[a]);
  const rows = order.slice(0, RULES).map((r) => {
    const favoured = contributions[r].indexOf(Math.max(...contributions[r]));
    return { name: `Rule ${r + 1}`, level: firing[r], colour: ruleColour(r, scene.dark), favours: firing[r] > 0 ? classes[favoured] : "" };
  });
  const others = order.slice(RULES), level = others.reduce((sum, r) => sum + firing[r], 0);
  if (others.length) rows.push({ name: others.length > 1 ? `${others.length} others` : "1 other", level, colour: GREY, favours: "" });
  title(parent, "Most active rules");
  const body = tableBody(parent, ["Rule", "Firing level", "", "Adds most to"], rows.length);
  rows.forEach((row, k) => {
    const { cells } = body.rows[k];
    cells[0].replaceChildren(withSwatch(row.colour, "tsk-rule", [row.name]));
    cells[1].textContent = percent(row.level);
    bar(cells[2], [[0, row.level, row.colour]]);
    cells[3].replaceChildren(...breaking(truncated(row.favours)));
  });
  sentenceOf(element(parent, "p", "tsk-if"), scene, order[0], sentences);
  nextSentences(element(parent, "details", "tsk-next"), scene, order.slice(1, SENTENCES).filter((r) => firing[r] >= LEAST), sentences);
  element(parent, "p", "tsk-caption").textContent = entropyText(why) + otherClass(rows[0].favours, order[0], sentences);
}

/**
 * The sentences of the rules that fire next, folded.
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {number[]} rules by index
 * @param {RuleBase | null | undefined} sentences
 */
function nextSentences(parent, scene, rules, sentences) {
  const known = rules.filter((r) => sentences?.rules.some(({ rule, dead }) => rule === r + 1 && !dead));
  parent.hidden = !known.length;
  element(parent, "summary", "tsk-summary").textContent = `Why ${joined(known.map((r) => `rule ${r + 1}`))} ${known.length > 1 ? "fire" : "fires"} too`;
  known.forEach((r, k) => sentenceOf(element(parent, "p", `tsk-if-${k}`), scene, r, sentences, `Rule ${r + 1}`));
  for (const left of [...parent.querySelectorAll("p")].slice(known.length)) left.remove();
}

/**
 * "Rule 3 fires most: IF … ✓ 0.98 AND … ✗ 0.12 THEN dog.", with the membership of this row in each condition.
 * @param {Element} parent
 * @param {Scene} scene
 * @param {number} r
 * @param {RuleBase | null | undefined} sentences
 * @param {string} [name] how the sentence begins
 */
function sentenceOf(parent, scene, r, sentences, name = `Rule ${r + 1} fires most`) {
  const text = sentences?.rules.find(({ rule }) => rule === r + 1);
  if (!text || text.dead) {
    const none = sentences === undefined ? "" : ` There is no sentence of it for epoch ${scene.snapshot.epoch}.`;
    parent.replaceChildren(`${name}.${sentences && !sentences.rules.length ? ` ${sentences.summary.join(" ")}` : none}`);
    return;
  }
  const found = conditionsOf(scene, text), holding = found.filter(({ holds }) => holds).length;
  const parts = found.flatMap(({ text: words, membership, holds }, k) => [k ? " AND " : "", `${words} `, marked(membership, holds)]);
  const nearest = found.length > 0 && !holding;
  parent.replaceChildren(`${name}${nearest ? ", being the nearest" : ""}: IF `, ...(found.length ? parts : ["anything"]), ` THEN ${text.then}. ${truthOf(holding, found.length)}`);
}

/** @param {number} membership @param {boolean} holds */
function marked(membership, holds) {
  const node = document.createElement("span");
  node.className = holds ? "tsk-mark tsk-holds" : "tsk-mark";
  node.title = `Membership of this row: ${membership.toPrecision(3)}. The condition ${holds ? "holds" : "does not hold"}, with the numbers as printed.`;
  node.textContent = `${holds ? "✓" : "✗"} ${membership.toFixed(2)}`;
  return node;
}

/**
 * @param {number} count of conditions that hold
 * @param {number} all
 */
function truthOf(count, all) {
  if (!all) return "";
  if (count === all) return all > 1 ? "All its conditions hold (✓)." : "Its condition holds (✓).";
  return count ? `${count} of its ${all} conditions ${count > 1 ? "hold" : "holds"}.` : "None of its conditions holds (✗).";
}

/**
 * Why a rule may add most to another class than its sentence names.
 * @param {string} favoured
 * @param {number} r
 * @param {RuleBase | null | undefined} sentences
 */
function otherClass(favoured, r, sentences) {
  const then = sentences?.rules.find(({ rule }) => rule === r + 1)?.then;
  if (!favoured || !then || then === favoured) return "";
  return ` Rule ${r + 1} adds most to ${favoured}: its THEN part is a linear function of the features.`;
}

/** @param {Explanation} why */
function entropyText({ firing, entropy, effective }) {
  const far = firing.reduce((sum, f) => sum + f, 0) < 0.5 ? " The row is far from every rule: hardly any rule fires." : "";
  return `Entropy ${entropy.toFixed(2)}, as for ${effective.toFixed(1)} equally firing ${effective < 1.05 ? "rule" : "rules"}.${far}`;
}

/**
 * Each class's score as a sum over rules, and its probability.
 * @param {Element} parent
 * @param {Scene} scene
 * @param {Explanation} why
 */
export function classTable(parent, { table: { classes }, model, dark }, why) {
  const { probabilities, predicted } = why;
  const likely = probabilities.map((_, c) => c).sort((a, b) => probabilities[b] - probabilities[a]).slice(0, CLASSES).sort((a, b) => a - b);
  const parts = partsOf(why, dark), longest = Math.max(1e-300, ...likely.flatMap((c) => extent(parts.map(({ values }) => values[c]))));
  title(parent, "Contribution of each rule to each class");
  const body = tableBody(parent, ["Class", "Probability", "Less likely ◂ ▸ more likely", "Score"], likely.length);
  likely.forEach((c, k) => {
    const { cells } = body.rows[k], values = parts.map(({ values: of }) => of[c]);
    const words = breaking(classes[c]);
    cells[0].replaceChildren(withSwatch(classColours(classes, dark)[c], "tsk-class", c === predicted ? [strong(words)] : words));
    cells[1].textContent = percent(probabilities[c]);
    bar(cells[2], stacked(values, longest, parts));
    cells[2].title = parts.map(({ name }, p) => `${name} ${signed(values[p], 2)}`).join(", ");
    cells[3].textContent = signed(values.reduce((sum, v) => sum + v, 0), 2);
  });
  const key = element(parent, "p", "tsk-key");
  key.replaceChildren(...parts.flatMap(({ name, colour }) => [withSwatch(colour, "tsk-rule", [name]), " "]));
  const left = classes.length - likely.length, rest = 1 - likely.reduce((sum, c) => sum + probabilities[c], 0);
  const more = left ? ` The other ${left} classes together have probability ${percent(rest)}.` : "";
  element(parent, "p", "tsk-caption").textContent = `A contribution is the rule's ${weightName(model)} times its score for the class, minus the mean over all classes. Subtracting the mean makes the bars comparable and changes no probability.${more}`;
}

/**
 * The contributions of the rules that contribute most, and of all others together.
 * @param {Explanation} why
 * @param {boolean} dark
 * @returns {Part[]}
 */
function partsOf({ contributions }, dark) {
  const centred = contributions.map((row) => {
    const mean = row.reduce((a, b) => a + b, 0) / row.length;
    return row.map((v) => v - mean);
  });
  const weight = centred.map((row) => Math.max(...row.map(Math.abs)));
  const order = weight.map((_, r) => r).sort((a, b) => weight[b] - weight[a]), rest = order.slice(RULES);
  const parts = order.slice(0, RULES).map((r) => ({ name: `rule ${r + 1}`, colour: ruleColour(r, dark), values: centred[r] }));
  if (rest.length) parts.push({ name: "others", colour: GREY, values: centred[0].map((_, c) => rest.reduce((sum, r) => sum + centred[r][c], 0)) });
  return parts;
}

/** @param {number[]} values */
const extent = (values) => [values.reduce((sum, v) => sum + Math.max(v, 0), 0), values.reduce((sum, v) => sum + Math.max(-v, 0), 0)];

/**
 * Values as pieces of a bar from its middle: positive ones to the right, negative ones to the left.
 * @param {number[]} values
 * @param {number} longest
 * @param {Part[]} parts
 */
function stacked(values, longest, parts) {
  const ends = { up: 0.5, down: 0.5 };
  return values.map((value, p) => {
    const length = Math.abs(value) / longest / 2, from = value < 0 ? (ends.down -= length) : ends.up;
    if (value >= 0) ends.up += length;
    return /** @type {Piece} */ ([from, length, parts[p].colour]);
  });
}

/**
 * A bar in pieces; the numbers beside it say the same.
 * @param {Element} cell
 * @param {Piece[]} pieces
 */
export function bar(cell, pieces) {
  const node = element(cell, "div", "tsk-bar", { "aria-hidden": "true" });
  childrenOf(node, "i", pieces.length).forEach(({ style }, k) => {
    const [from, length, colour] = pieces[k];
    Object.assign(style, { left: `${100 * from}%`, width: `${100 * length}%`, background: colour });
  });
}

/** @param {Element} parent @param {string} text */
function title(parent, text) {
  element(parent, "h4", "tsk-title").textContent = text;
}

/** @type {Record<string, string>} */
const MEANINGS = {
  "Firing level": "How far the row satisfies the rule's conditions, as a share: the firing levels of all rules add up to 100%.",
  "Adds most to": "The class whose score the rule raises most for this row.",
  "Probability": "The softmax of the scores, less what class weights add to them: the model's confidence in each class. The tab Mistakes shows whether it can be trusted.",
  "Less likely ◂ ▸ more likely": "What each rule adds to the score of the class (right) or takes from it (left), less the mean over the classes.",
  "Score": "The sum of the contributions of all rules; the class with the highest score is predicted.",
};

/**
 * The body of a table with these headings and so many rows, which is reused from one drawing to the next.
 * @param {Element} parent
 * @param {string[]} headings
 * @param {number} rows
 */
export function tableBody(parent, headings, rows) {
  const node = element(parent, "table", "tsk-table");
  if (!node.tHead) {
    const head = node.createTHead().insertRow();
    for (const heading of headings) {
      const cell = head.appendChild(Object.assign(document.createElement("th"), { textContent: heading, scope: "col" }));
      if (MEANINGS[heading]) withExplanation(cell, MEANINGS[heading]);
    }
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

/**
 * A name that breaks after "_" before it breaks anywhere else.
 * @param {string} name
 */
const breaking = (name) => name.split(/(?<=_)/).flatMap((part, k) => (k ? [document.createElement("wbr"), part] : [part]));

/** @param {(Node | string)[]} words */
function strong(words) {
  const node = document.createElement("b");
  node.append(...words);
  return node;
}
