// One chart: a function that makes a figure of the state, drawn in place whenever the state changes.

/** @import { ChartDeclaration, FigureOf, State, View } from "./types.js" */

import { HEIGHT } from "./colours.js";
import { element } from "./elements.js";
import { drawIn } from "./plotly.js";
import { saveButtons } from "./saving.js";

/**
 * The view of a chart.
 * @param {FigureOf} figureOf
 * @param {ChartDeclaration} declared
 * @returns {(parent: Element) => View}
 */
export function chart(figureOf, { name, title }) {
  return (parent) => {
    const node = element(parent, "div", "tsk-chart", { role: "img", "aria-label": title });
    const below = element(parent, "div", "tsk-below");
    const caption = element(below, "p", "tsk-caption");
    const save = saveButtons(below, name, (state) => figureOf({ ...state, title }), node);
    node.style.minHeight = `${HEIGHT}px`; // so that nothing moves when the figure appears
    return {
      node,
      /** @param {State} state */
      draw(state) {
        if (node.clientWidth === 0) return; // in a hidden tab; it is drawn when it gets a width
        const figure = figureOf({ ...state, title, width: node.clientWidth });
        caption.textContent = figure.caption ?? "";
        save.hidden = !figure.data.some((trace) => Array.isArray(trace.x) && trace.x.length); // nothing to save yet
        drawIn(node, figure, caption);
      },
    };
  };
}
