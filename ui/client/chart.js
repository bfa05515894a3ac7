// One chart: a function that makes a figure of the state, drawn in place whenever the state changes.

import { HEIGHT } from "./colours.js";
import { element } from "./elements.js";
import { drawIn } from "./plotly.js";
import { saving } from "./save.js";

/** A view (see views.js) of what `figureOf` makes of the state: { data, layout, name, caption }. */
export function chart(figureOf) {
  return (parent) => {
    const node = element(parent, "div", "tsk-chart", { role: "img" });
    const below = element(parent, "div", "tsk-below");
    const caption = element(below, "p", "tsk-caption");
    const save = saving(below, figureOf, node);
    node.style.minHeight = `${HEIGHT}px`; // so that nothing jumps before the first drawing
    return {
      draw(state) {
        if (node.clientWidth === 0) return; // in a hidden tab; it is drawn when it gets a width
        const figure = figureOf({ ...state, width: node.clientWidth });
        caption.textContent = figure.caption ?? "";
        save.hidden = !figure.data.some((trace) => trace.x?.length); // nothing to save yet
        drawIn(node, figure, caption);
      },
      node,
    };
  };
}
