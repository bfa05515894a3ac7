// One chart: a function that makes a figure of the state, drawn in place whenever the state changes.

import { HEIGHT } from "./colours.js";
import { element } from "./elements.js";
import { plotly } from "./plotly.js";
import { saving } from "./save.js";

const BUTTONS = { displayModeBar: false, responsive: false };

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
        const { data, layout, name, caption: words = "" } = figureOf(state);
        node.setAttribute("aria-label", name);
        caption.textContent = words;
        save.hidden = !data.length; // nothing to save yet
        plotly().then(
          (library) => library.react(node, data, { ...layout, width: node.clientWidth || undefined }, BUTTONS), // it asks only once itself
          () => { caption.textContent = "The library that draws charts could not be loaded; reload this page."; },
        );
      },
      node,
    };
  };
}
