// One chart: a function that makes a figure of the state, drawn in place whenever the state changes.

/** @import { ChartDeclaration, FigureOf, MountOptions, State, View } from "../core/types.js" */

import { element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { height } from "../core/layout.js";
import { drawIn } from "../core/plotly.js";
import { saveButtons } from "../core/saving.js";
import { bothSides, comparisonSide } from "../core/side_by_side.js";
import { comparisonLabel } from "../core/text.js";
import { chartOptions } from "./chart_options.js";
import { NUMBERS } from "./explained.js";

/**
 * The view of a chart.
 * @param {FigureOf} figureOf
 * @param {ChartDeclaration} declared
 * @returns {(parent: Element, mounted?: Partial<MountOptions>) => View}
 */
export function chart(figureOf, { name, title, options, beside }) {
  return (parent, mounted = {}) => {
    const place = element(parent, "div", "tsk-place");
    const side = element(place, "div", "tsk-own"), own = element(side, "p", "tsk-side-name");
    const node = element(side, "div", "tsk-chart", { role: "img", "aria-label": title });
    const headline = element(place, "p", "tsk-headline");
    const below = element(parent, "div", "tsk-below"), showOptions = chartOptions(below, options);
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
