// The rules in words at the selected epoch, with what stands above them. The server writes the sentences and figures
// (tsk_core/live/messages.py).

/** @import { MountOptions, Notation, RuleBase, RuleText, Run, State, TextFidelity, View } from "../core/types.js" */
/** @import { CardStyle } from "./cards.js" */

import { childrenOf, choice, element, withExplanation } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { atEpoch, options, recordedEpoch, setOptions } from "../core/store.js";
import { comparisonLabel, counted, percent } from "../core/text.js";
import { ablationOf } from "../model/conditions.js";
import { watch } from "../model/selection.js";
import { comparisonSide, sideBySideButton } from "../charts/chart.js";
import { ablationPanel, rowList } from "./ablation.js";
import { cards } from "./cards.js";
import { availableRows, precomputeEffect, snapshotFor, uncoveredRows } from "./context.js";
import { cardLines, workedExample } from "./numbers.js";

const AT_FIRST = 10; // rules; the others are folded away
const NOTHING = ablationOf({ ablation: { run: null, steps: [] } }, "");
/** @type {[string, string][]} */
const ORDERS = [["dominance", "by dominance"], ["active", "most active first"], ["number", "by number"]];
/** @type {[Notation, string][]} */
const NOTATIONS = [["words", "words"], ["numbers", "numbers"], ["formula", "formula"]];
/** @type {Record<string, string>} */
const WAYS = { // by their names in tsk_core; what each means stands in its text
  linear: "with the rules' linear functions", strongest: "one class per rule, strongest decides", vote: "one class per rule, rules vote",
  constant: "constant scores per rule", model: "the scores, which are the model", sentences: "the sentences alone",
};
/** @type {{ run: string | null, epochs: number, level: number }} */
let highest = { run: null, epochs: 0, level: 0 }; // firing level of a rule so far

/**
 * A view: the rules. mounted: { note } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} mounted
 * @returns {View}
 */
export function rules(parent, mounted) {
  const when = element(parent, "p", "tsk-when", { role: "status" }), above = element(parent, "div", "tsk-above");
  const place = element(parent, "div", "tsk-place"), side = element(place, "div", "tsk-own");
  const own = element(side, "p", "tsk-side-name"), draw = ruleList(side, true), below = element(parent, "div", "tsk-under");
  const tools = element(above, "div", "tsk-tools"), explain = explaining(tools, above, "rules", "Rules in words", mounted);
  /** @type {{ side: Element, draw: (base: RuleBase | null, style: Style) => void } | null} */
  let other = null;
  return {
    watch,
    draw(now) {
      const base = atEpoch(now.shown.ruleBases, now);
      when.textContent = [epochText(base, now, mounted.note ?? ""), now.shown.error].filter(Boolean).join(" ");
      when.hidden = !when.textContent;
      ablationPanel(above, now);
      precomputeEffect(now);
      const beside = (now.beside && now.comparison.ruleBases.find(({ end }) => end)) || null;
      const most = Math.max(highestFiring(now.shown), ...(beside?.rules ?? []).map(({ support }) => support)); // equal on both sides
      const style = { order: now.ruleOrder, dark: now.dark, most, notation: now.notation, out: NOTHING, run: null, model: null };
      draw(base, { ...style, ...ownStyle(base, now) });
      own.textContent = beside ? "This run" : "";
      const left = comparisonSide(place, beside && `${comparisonLabel(now)}, at its end`);
      if (other?.side !== left) other = left && { side: left, draw: ruleList(left, false) };
      other?.draw(beside, style);
      uncovered(below, base, now);
      workedExample(below, base, now);
      tools.hidden = !base;
      explain(() => (base ? cardLines(base) : []));
    },
  };
}

/**
 * How rules are drawn. order: of the rules.
 * @typedef {Omit<CardStyle, "rules"> & { order: string }} Style
 */

/** @type {{ key: unknown[], style: Pick<Style, "out" | "run" | "model"> }} */
let known = { key: [], style: { out: NOTHING, run: null, model: null } };

/**
 * What the rules of the run shown have besides: its model, and what is taken out. The same object until one of these changes.
 * @param {RuleBase | null} written
 * @param {State} now
 */
function ownStyle(written, now) {
  const { run, base } = now.shown, snapshot = written && snapshotFor(written, now), out = ablationOf(now, run);
  const ranges = now.notation === "formula" ? availableRows(now)?.columns ?? null : null, key = [snapshot, base, out, run, ranges];
  if (key.some((value, k) => value !== known.key[k])) {
    const spreads = base?.columns.map((_, d) => (ranges ? ranges[d].high - ranges[d].low : 1)) ?? [];
    const model = snapshot && base ? { snapshot, base, spreads } : null;
    known = { key, style: { out, run: model ? run : null, model } };
  }
  return known.style;
}

/**
 * The rules of one run. Returns a function that draws them.
 * @param {HTMLElement} parent
 * @param {boolean} own whether it is the run shown, not the comparison
 */
function ruleList(parent, own) {
  const head = element(parent, "div", "tsk-head-of-rules"), first = element(parent, "ol", "tsk-cards"), more = element(parent, "details", "tsk-more");
  const fold = element(more, "summary", "tsk-summary"), others = element(more, "ol", "tsk-cards");
  /** @type {unknown[]} */
  let drawn = [];
  let unfold = () => {};
  more.ontoggle = () => unfold();
  return (/** @type {RuleBase | null} */ base, /** @type {Style} */ { order, ...style }) => {
    const all = [base, order, ...Object.values(style)];
    if (all.length === drawn.length && all.every((value, k) => value === drawn[k])) return;
    drawn = all;
    summary(head, base, own);
    const sorted = ordered(base?.rules ?? [], order), whole = { ...style, rules: sorted.length }, rest = sorted.length - AT_FIRST;
    cards(first, sorted.slice(0, AT_FIRST), whole);
    unfold = () => { if (more.open) cards(others, sorted.slice(AT_FIRST), whole); }; // drawn only where they are seen
    unfold();
    more.hidden = rest <= 0;
    fold.textContent = counted(rest, order === "active" ? "more and less active rule" : "more rule");
  };
}

/**
 * The server sends rules by dominance, the dead ones last.
 * @param {RuleText[]} texts
 * @param {string} order
 */
function ordered(texts, order) {
  if (order === "number") return [...texts].sort((a, b) => a.rule - b.rule);
  return order === "active" ? [...texts].sort((a, b) => b.support - a.support) : texts;
}

/**
 * The highest average firing level that a rule had at any epoch: the scale of the bars, so that they compare across epochs.
 * @param {Run} shown
 */
function highestFiring({ run, epochs }) {
  if (highest.run !== run || highest.epochs > epochs.length) highest = { run, epochs: 0, level: 1e-9 };
  for (const { firing } of epochs.slice(highest.epochs)) highest.level = Math.max(highest.level, ...firing);
  highest.epochs = epochs.length;
  return highest.level;
}

/**
 * A view: the choices.
 * @param {Element} parent
 * @returns {View}
 */
export function ruleBar(parent) {
  const bar = element(parent, "div", "tsk-order-bar");
  const order = choice(bar, "tsk-order", "Order of rules", ORDERS, options.ruleOrder, (ruleOrder) => setOptions({ ruleOrder }));
  const notation = choice(bar, "tsk-notation", "Rules in", NOTATIONS, options.notation, (value) => {
    setOptions({ notation: /** @type {Notation} */ (value) });
  });
  const showBeside = sideBySideButton(bar);
  return {
    draw(state) {
      order.value = state.ruleOrder;
      notation.value = state.notation;
      showBeside(state);
    },
  };
}

/** Of which epoch the rules are. @param {RuleBase | null} base @param {State} now @param {string} note */
function epochText(base, now, note) {
  const { newest, shown } = now;
  if (!base) return shown.about.ended ? "" : note || "The rules appear after the first epochs.";
  if (newest && shown.about.ended) return `After epoch ${base.epoch}: the kept model.`;
  return `After ${recordedEpoch(base, now)}.${shown.ruleBases.length > 1 || !note ? "" : ` ${note}`}`;
}

/**
 * The summary of a rule base, with a bar for each way to predict by its printed text: its fidelity.
 * @param {HTMLElement} parent
 * @param {RuleBase | null} base
 * @param {boolean} own whether it is of the run shown: the page has its readings as a table where its rules are readable
 */
function summary(parent, base, own) {
  element(parent, "p", "tsk-summary-of-rules").textContent = base?.summary.join("\n") ?? "";
  const list = element(parent, "ul", "tsk-inferences", { "aria-label": "How well the printed rules describe the model" }), ways = (own && base?.list ? null : base?.printed) ?? [];
  list.hidden = !ways.length;
  childrenOf(list, "li", ways.length).forEach((item, k) => fidelityLine(item, ways[k]));
}

/** @param {Element} item @param {TextFidelity} way */
function fidelityLine(item, { name, fidelity, accuracy, text }) {
  const label = element(item, "span", "tsk-inference");
  label.textContent = WAYS[name] ?? name;
  withExplanation(label, text);
  const bar = element(item, "span", "tsk-share", { "aria-hidden": "true" });
  element(bar, "i", "tsk-part").style.width = `${100 * fidelity}%`;
  const right = accuracy == null ? "" : `, accuracy ${percent(accuracy)}`;
  element(item, "span", "tsk-figure").textContent = `agrees with the model on ${percent(fidelity)}${right}`;
}

/**
 * Of how many rows no sentence is true, and on request which of those at hand.
 * @param {HTMLElement} parent
 * @param {RuleBase | null} base
 * @param {State} now
 */
function uncovered(parent, base, now) {
  const found = base?.uncovered, part = element(parent, "div", "tsk-uncovered");
  part.hidden = !found;
  if (!base || !found) return;
  element(part, "p", "tsk-uncovered-text").textContent = found.text;
  const details = element(part, "details", "tsk-uncovered-rows");
  element(details, "summary", "tsk-summary").textContent = "List the rows for which no sentence is true";
  const list = () => {
    if (!details.open) return;
    const rows = uncoveredRows(now, base);
    rowList(details, now, rows?.map((index) => ({ index })) ?? null);
  };
  details.hidden = !found.rows;
  details.ontoggle = list;
  list();
}
