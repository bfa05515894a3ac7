// The rules in words at the selected epoch. The server writes the sentences and figures (tsk_core/live/messages.py).

/** @import { RuleBase, RuleText } from "../core/messages.js" */
/** @import { MountOptions, Run, State, View } from "../core/types.js" */
/** @import { CardStyle } from "./cards.js" */

import { element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { comparisonSide } from "../core/side_by_side.js";
import { atEpoch } from "../core/store.js";
import { comparisonLabel, counted } from "../core/text.js";
import { ablationOf } from "../model/ablation.js";
import { watch } from "../model/selection.js";
import { ablationPanel } from "./ablation_panel.js";
import { cards } from "./cards.js";
import { availableRows, precomputeEffect, snapshotFor } from "./context.js";
import { cardLines } from "./explained.js";
import { epochText, summary, uncovered } from "./heading.js";
import { workedExample } from "./worked_example.js";

const AT_FIRST = 10; // rules; the others are folded away
const NOTHING = ablationOf({ ablation: { run: null, steps: [] } }, "");

/**
 * A view: the rules. options: { note } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function rules(parent, options) {
  const when = element(parent, "p", "tsk-when", { role: "status" }), above = element(parent, "div", "tsk-above");
  const place = element(parent, "div", "tsk-place"), side = element(place, "div", "tsk-own");
  const own = element(side, "p", "tsk-side-name"), draw = ruleList(side, true), below = element(parent, "div", "tsk-under");
  const tools = element(above, "div", "tsk-tools"), explain = explaining(tools, above, "rules", "Rules in words", options);
  /** @type {{ side: Element, draw: (base: RuleBase | null, style: Style) => void } | null} */
  let other = null;
  return {
    watch,
    draw(now) {
      const base = atEpoch(now.shown.ruleBases, now);
      when.textContent = [epochText(base, now, options.note ?? ""), now.shown.error].filter(Boolean).join(" ");
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

/** @type {{ run: string | null, epochs: number, level: number }} */
let highest = { run: null, epochs: 0, level: 0 };

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
