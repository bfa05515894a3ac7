// One chart: a function that makes a figure of the state, drawn in place whenever the state changes, with the choices below it, and
// with the comparison beside it.

/** @import { Across, ChartDeclaration, FigureOf, MountOptions, Options, Run, State, View } from "../core/types.js" */

import { choice, element, toggle } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { height } from "../core/layout.js";
import { drawIn, saveButtons } from "../core/plotly.js";
import { bothSides, options, setOptions } from "../core/store.js";
import { comparisonLabel } from "../core/text.js";
import { NUMBERS } from "./numbers.js";

/** @type {[Across, string][]} */
const ACROSS = [["epochs", "epochs"], ["steps", "gradient steps"], ["seconds", "seconds"]];
/** @type {Record<string, (parent: Element) => (options: Options) => void>} */
const CHOICES = {
  across: (parent) => {
    const node = choice(parent, "tsk-across-axis", "Axis", ACROSS, options.across, (value) => setOptions({ across: /** @type {Across} */ (value) }));
    return ({ across }) => { node.value = across; };
  },
  logLoss: (parent) => toggle(parent, "tsk-log", "log", "Logarithmic loss axis", ({ logLoss }) => logLoss, (logLoss) => setOptions({ logLoss })),
};
/** @type {[string, string][]} */
const ORDERS = [["active", "most active first"], ["first", "kept as in the first epoch"], ["number", "by number"]];

/**
 * The view of a chart.
 * @param {FigureOf} figureOf
 * @param {ChartDeclaration} declared
 * @returns {(parent: Element, mounted?: Partial<MountOptions>) => View}
 */
export function chart(figureOf, { name, title, options: offered, beside }) {
  return (parent, mounted = {}) => {
    const place = element(parent, "div", "tsk-place");
    const side = element(place, "div", "tsk-own"), own = element(side, "p", "tsk-side-name");
    const node = element(side, "div", "tsk-chart", { role: "img", "aria-label": title });
    const headline = element(place, "p", "tsk-headline");
    const below = element(parent, "div", "tsk-below"), showOptions = chartOptions(below, offered);
    const caption = element(below, "p", "tsk-caption"), tools = element(below, "div", "tsk-tools");
    const save = saveButtons(tools, name, (state) => figureOf({ ...state, title }), node);
    const explain = explaining(tools, parent, name, title, mounted);
    node.style.minHeight = `${height()}px`; // so that nothing moves when the figure appears
    return {
      node,
      /** @param {State} state */
      draw(state) {
        if (place.clientWidth === 0) return; // in a hidden tab; it is drawn when it gets a width
        showOptions(state);
        const sides = beside ? bothSides(state) : null;
        parent.classList.toggle("tsk-wide", sides !== null);
        own.textContent = sides ? "This run" : "";
        const other = comparisonSide(place, sides && comparisonLabel(state));
        if (sides && other) {
          const otherFigure = figureOf({ ...sides[0], title, width: place.clientWidth / 2 });
          drawIn(element(other, "div", "tsk-chart", { role: "img" }), otherFigure, caption);
        }
        const figure = figureOf({ ...(sides?.[1] ?? state), title, width: node.clientWidth });
        caption.textContent = figure.caption ?? "";
        headline.textContent = figure.headline ?? "";
        save.hidden = !figure.data.some((trace) => Array.isArray(trace.x) && trace.x.length); // nothing to save yet
        drawIn(node, figure, caption);
        explain(() => NUMBERS[name](state));
      },
    };
  };
}

/**
 * The choices of these names, which ui/charts/declared.py declares, in `parent`. Returns a function that shows the options in force.
 * @param {Element} parent
 * @param {string[]} names
 */
function chartOptions(parent, names) {
  const group = element(parent, "div", "tsk-chart-options", { role: "group", "aria-label": "Axes of this figure" });
  const shown = names.map((name) => CHOICES[name](group));
  group.hidden = !names.length;
  return (/** @type {Options} */ now) => shown.forEach((show) => show(now));
}

/**
 * A view: the choices of the charts of firing levels, how rules are ordered and where the comparison is drawn.
 * @param {Element} parent
 * @returns {View}
 */
export function order(parent) {
  const bar = element(parent, "div", "tsk-order-bar");
  const node = choice(bar, "tsk-order", "Order of rules", ORDERS, options.order, (value) => setOptions({ order: value }));
  const showBeside = sideBySideButton(bar);
  return {
    draw(state) {
      node.value = state.order;
      showBeside(state);
    },
  };
}

/**
 * The button that puts the comparison beside the run shown; hidden where there is nothing of it to draw.
 * @param {Element} parent
 * @param {(comparison: Run) => number} [count] of what is drawn
 */
export function sideBySideButton(parent, count = ({ epochs }) => epochs.length) {
  const name = "Draw the comparison beside the run, on equal scales";
  const show = toggle(parent, "tsk-beside-button", "Side by side", name, ({ beside }) => beside, (beside) => setOptions({ beside }));
  return (/** @type {State} */ state) => { show(state).hidden = !count(state.comparison); };
}

/**
 * The place of the comparison, to the left of all others in `place`, with its name; null, and nothing there, where there is none.
 * @param {Element} place
 * @param {string | null} text
 */
export function comparisonSide(place, text) {
  const side = element(place, "div", "tsk-other");
  if (text === null) {
    side.remove();
    return null;
  }
  if (place.firstChild !== side) place.prepend(side);
  element(side, "p", "tsk-side-name").textContent = `Comparison: ${text}`;
  return side;
}
