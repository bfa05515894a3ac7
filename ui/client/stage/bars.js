// The average firing level of each rule at the selected epoch, as bars that can be pointed at, kept and reached by the keyboard.

/** @import { Epoch, State, View } from "../core/types.js" */
/** @import { Place } from "./panel.js" */

import { ruleColour } from "../core/colours.js";
import { svg } from "../core/svg.js";
import { comparisonLabel, fixed, withoutZero } from "../core/text.js";
import { firingText, ordered } from "../charts/firing.js";
import { keep, markedRule, point } from "./marking.js";
import { calmTop, leftAxis, outline, outlinePath, panel, part, put, ticksOf } from "./panel.js";

const [GAP, WIDEST] = [0.16, 56]; // between two bars, of their distance; pixels of a bar at most
const NONE = "Average firing levels come with the first epoch";
/** @type {Record<string, string>} */
const ORDERS = { number: "by number", active: "most active first", first: "in the order of the first epoch" };
/** @type {Record<string, number>} */
const MOVES = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

/** @param {Element} parent @returns {View} */
export function bars(parent) {
  return panel(parent, () => {
    /** @type {{ order: number[], stop: number | null }} */
    const keyboard = { order: [], stop: null }; // rules from left to right, and the one that Tab comes to
    return (place, now) => drawBars(place, now, keyboard);
  });
}

/**
 * What is drawn: rules from left to right, and by their index levels, levels before training where these are known, and signs of those
 * that never or hardly fire. compared: levels of the comparison at its end, in the same order of its own rules. places: for bars. top: the
 * end of the scale.
 * @param {State} now
 */
export function barsOf(now) {
  const { epoch, shown, comparison, order: by } = now, last = comparison.epochs.at(-1);
  const levels = numbers(epoch?.firing), before = numbers(shown.epochs[0]?.initialFiring), compared = numbers(last?.firing);
  if (by !== "number") compared.sort((a, b) => b - a);
  const order = epoch ? ordered(now, { ...epoch, firing: levels }) : [], R = levels.length || compared.length || 1;
  const top = calmTop(shown, epoch, (e) => Math.max(...numbers(e.firing)), Math.max(1.25 / R, ...compared, ...before));
  const sign = (/** @type {number} */ rule) => (epoch?.dead.includes(rule) ? "✕" : epoch?.idle.includes(rule) ? "○" : "");
  const signs = levels.map((_, rule) => (levels.some(Boolean) ? sign(rule) : "")); // else training diverged
  return { order, levels, before, compared, signs, places: Math.max(1, levels.length, compared.length), top: Math.min(1, top) };
}

/**
 * Values where they are finite, else 0; none where there are none.
 * @param {ArrayLike<number> | null | undefined} values
 */
const numbers = (values) => Array.from(values ?? [], (value) => (Number.isFinite(value) ? value : 0));

/**
 * The finding of the chart: of the marked rule, else of all.
 * @param {Epoch} epoch
 * @param {number | null} marked
 */
export function firingTitle({ firing, dead, idle }, marked) {
  const R = firing.length, levels = numbers(firing);
  if (!firing.some((level) => Number.isFinite(level))) return "Training diverged: firing levels are no longer numbers";
  if (marked !== null) return `Rule ${marked + 1}: ${shareText(levels[marked], R)}, ${fixed(levels[marked] * R, 1)} times an equal share`;
  if (R === 1) return "The only rule fires for every row";
  const some = (/** @type {number} */ n, /** @type {string} */ how, of = "") => (n ? `${n}${of} ${how} ${n === 1 ? "fires" : "fire"}` : "");
  const never = some(dead.length, "never", ` of ${R} rules`), hardly = some(idle.length, "hardly", never ? "" : ` of ${R} rules`);
  if (never || hardly) return [never, hardly].filter(Boolean).join(", ");
  return `Every rule fires: ${shareText(Math.min(...levels), R)} to ${shareText(Math.max(...levels), R)} (equal share ${shareText(1 / R, R)})`;
}

/**
 * A level with the digits that matter among so many rules, as ".05".
 * @param {number} level
 * @param {number} R
 */
export function shareText(level, R) {
  if (level === 0 || level === 1) return String(level);
  const digits = Math.max(2, Math.floor(Math.log10(2 * R)) + 1), text = fixed(level, digits);
  return level > 0 && !Number(text) ? `under ${withoutZero(fixed(10 ** -digits, digits))}` : withoutZero(text);
}

/**
 * @param {Place} place
 * @param {State} now
 * @param {{ order: number[], stop: number | null }} keyboard
 */
function drawBars({ say, node, size, width, height }, now, keyboard) {
  const found = barsOf(now), { epoch } = now, R = found.levels.length, marked = markedRule(now);
  const box = { left: 3 * size, right: width - 2, size }, bottom = height - 1.5 * size, step = (box.right - box.left) / found.places;
  const y = (/** @type {number} */ level) => bottom - (level / found.top) * (bottom - 0.5 * size);
  const x = (/** @type {number} */ k) => box.left + k * step;
  say(epoch ? firingTitle(epoch, marked) : NONE, noteOf(now, found));
  put(node, { role: "group", "aria-label": "Average firing levels" });
  const ticks = R + found.compared.length ? ticksOf(found.top) : [];
  const digits = Math.max(...ticks.map((tick) => String(Number(tick.toPrecision(2))).length)) - 2;
  leftAxis(node, ticks, (value) => (value ? withoutZero(fixed(value, digits)) : "0"), y, box);
  const text = epoch ? firingText(epoch, R, found.before.length ? found.before : null) : NONE;
  const list = part(node, "g", "tsk-stage-list", { role: R ? "listbox" : "group", "aria-label": text });
  keyboard.order = found.order;
  if (keyboard.stop === null || keyboard.stop >= R) keyboard.stop = found.order[0] ?? null;
  listen(list, keyboard);
  while (list.children.length > R) list.lastElementChild?.remove();
  const each = Math.max(1, Math.ceil((size * (0.2 + 0.6 * String(R).length)) / step)); // of so many bars one has its number
  found.order.forEach((rule, k) => {
    const bar = barOf(list, rule), level = found.levels[rule];
    bar.style.transform = `translate(${x(k).toFixed(1)}px,0)`;
    put(bar, {
      class: marked === null ? "" : marked === rule ? "tsk-marked" : "tsk-dim", "aria-selected": String(now.kept === rule),
      tabindex: rule === keyboard.stop ? 0 : -1, "aria-label": `Rule ${rule + 1}: average firing level ${shareText(level, R)}`,
    });
    const before = found.before.length === R ? y(found.before[rule]) : null, numbered = k % each === 0 || marked === rule;
    const look = { step, bottom, height, size, colour: ruleColour(rule, now.dark), numbered };
    drawBar(bar, look, { level: y(level), before, sign: found.signs[rule] });
  });
  outline(node, "tsk-stage-compared", outlinePath(found.compared, x, y));
  drawEqualShare(node, R, R ? y(1 / R) : 0, box);
}

/**
 * How the bars stand, and what is drawn over them.
 * @param {State} now
 * @param {ReturnType<typeof barsOf>} found
 */
function noteOf(now, { before, compared }) {
  const outlined = compared.length ? `outline: ${comparisonLabel(now)}${now.order === "number" ? "" : ", by rank"}` : "";
  return now.epoch ? [outlined, before.length ? "dash: before training" : "", ORDERS[now.order]].filter(Boolean).join(" · ") : outlined;
}

/**
 * @param {Element} node
 * @param {number} R
 * @param {number} y of the share of each of R rules
 * @param {{ left: number, right: number }} box
 */
function drawEqualShare(node, R, y, { left, right }) {
  part(node, "path", "tsk-stage-equal", { d: R ? `M${left},${y.toFixed(1)}H${right}` : "", "aria-hidden": "true" });
  const place = { x: right, y: (y - 4).toFixed(1), "text-anchor": "end", "aria-hidden": "true" };
  part(node, "text", "tsk-stage-equal-name", place, R ? "1/R: equal share" : "");
}

/**
 * The element of a rule; those of the rules before it are made with it.
 * @param {Element} list
 * @param {number} rule
 */
function barOf(list, rule) {
  while (list.children.length <= rule) {
    const bar = svg(list, "g", { role: "option", "data-rule": list.children.length });
    for (const name of ["tsk-stage-hit", "tsk-stage-bar"]) svg(bar, "rect", { class: name });
    svg(bar, "path", { class: "tsk-stage-before" });
    svg(bar, "text", { class: "tsk-stage-sign", "text-anchor": "middle" });
    svg(bar, "text", { class: "tsk-stage-number", "text-anchor": "middle" }, String(list.children.length));
  }
  return /** @type {SVGGElement} */ (list.children[rule]);
}

/**
 * @param {SVGGElement} bar
 * @param {{ step: number, bottom: number, height: number, size: number, colour: string, numbered: boolean }} look
 * @param {{ level: number, before: number | null, sign: string }} drawn
 */
function drawBar(bar, { step, bottom, height, size, colour, numbered }, { level, before, sign }) {
  const [hit, body, dash, mark, number] = bar.children, wide = Math.min(WIDEST, step * (1 - GAP)), left = (step - wide) / 2;
  put(hit, { x: 0, y: 0, width: step.toFixed(2), height });
  put(body, { x: left.toFixed(2), y: level.toFixed(2), width: wide.toFixed(2), height: (bottom - level).toFixed(2), fill: colour });
  put(dash, { d: before === null ? "" : `M${left.toFixed(2)},${before.toFixed(1)}h${wide.toFixed(2)}` });
  put(mark, { x: (step / 2).toFixed(2), y: bottom - 4 });
  if (mark.textContent !== sign) mark.textContent = sign;
  put(number, { x: (step / 2).toFixed(2), y: bottom + 1.15 * size, visibility: numbered ? "visible" : "hidden" });
}

/**
 * Pointing at a bar marks its rule, and so does the focus; a click or Enter keeps it; the arrows move from bar to bar.
 * @param {SVGGElement} list
 * @param {{ order: number[], stop: number | null }} keyboard
 */
function listen(list, keyboard) {
  if (list.onclick) return;
  const ruleAt = (/** @type {Event} */ { target }) => {
    const bar = target instanceof Element ? /** @type {SVGGElement | null} */ (target.closest("[data-rule]")) : null;
    return bar ? Number(bar.dataset.rule) : null;
  };
  list.onpointermove = (event) => point(ruleAt(event)); // not where a bar moves below a pointer at rest
  list.onpointerleave = () => point(null);
  list.onclick = (event) => keep(ruleAt(event));
  list.addEventListener("focusin", (event) => {
    keyboard.stop = ruleAt(event);
    if (event.target instanceof Element && event.target.matches(":focus-visible")) point(keyboard.stop);
  });
  list.addEventListener("focusout", () => point(null));
  list.onkeydown = (event) => {
    const rule = ruleAt(event), { order } = keyboard, move = MOVES[event.key];
    if (rule === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (move !== undefined) {
      const next = order[Math.max(0, Math.min(order.length - 1, order.indexOf(rule) + move))];
      /** @type {SVGGElement} */ (list.children[next]).focus();
    } else if (event.key === "Enter" || event.key === " ") keep(rule);
    else return;
    event.preventDefault();
    event.stopPropagation(); // else arrows would select an epoch
  };
}
