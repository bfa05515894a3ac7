// The charts of a comparison as views: each is drawn in place whenever a record comes or the selected epoch changes.

/** @import { Drawn } from "../core/plotly.js" */
/** @import { Figure, MountOptions, State, View } from "../core/types.js" */
/** @import { ComparisonState } from "./types.js" */

import { element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { height } from "../core/layout.js";
import { drawIn, setListener } from "../core/plotly.js";
import { saveButtons } from "../core/saving.js";
import { CURVES, curvesFigure } from "./curves.js";
import { confusionPanels, entropyPanels, firingPanels } from "./epoch_panels.js";
import { compareBar } from "./epoch_slider.js";
import { numbersOf } from "./explained.js";
import { planePanels } from "./planes.js";
import { comparison } from "./store.js";

const [QUICK, RESTS, LONGEST_REST] = [30, 3, 2000]; // milliseconds of a drawing without a rest; how many times as long a rest is; at most

/** @typedef {(now: ComparisonState, width?: number) => Figure} CompareFigure */

/** @type {Record<string, { title: string, of: CompareFigure, wide?: boolean }>} */
const CHARTS = {
  ...Object.fromEntries(Object.entries(CURVES).map(([name, { title }]) => {
    const of = (/** @type {ComparisonState} */ now) => curvesFigure(name, now);
    return [name, { title, of }];
  })),
  compareFiring: { title: "Average firing levels", of: firingPanels, wide: true },
  compareEntropy: { title: "Entropy of the firing levels", of: entropyPanels, wide: true },
  compareConfusion: { title: "Confusion matrices", of: confusionPanels, wide: true },
  comparePlane: { title: "Plane of the two features", of: planePanels, wide: true },
};

/** The views by name. */
export const compareViews = {
  compareBar,
  ...Object.fromEntries(Object.entries(CHARTS).map(([name, declared]) => {
    /** @type {(parent: Element, options: MountOptions) => View} */
    const view = (parent, options) => chart(parent, name, declared, options);
    return [name, view];
  })),
};

/**
 * @param {Element} parent
 * @param {string} name
 * @param {{ title: string, of: CompareFigure, wide?: boolean }} declared
 * @param {MountOptions} options
 * @returns {View}
 */
function chart(parent, name, { title, of, wide }, options) {
  const open = (/** @type {number} */ training) => options.send?.("opened", training);
  parent.classList.toggle("tsk-wide", Boolean(wide));
  element(parent, "p", "tsk-chart-title").textContent = title;
  const node = element(parent, "div", "tsk-chart", { role: "img", "aria-label": title });
  const below = element(parent, "div", "tsk-below"), caption = element(below, "p", "tsk-caption"), tools = element(below, "div", "tsk-tools");
  const file = () => `comparison-${String(comparison().experiment).slice(0, 8)}-${name.replace("compare", "").toLowerCase()}`;
  const save = saveButtons(tools, name, ({ dark }) => of({ ...comparison(), dark }), node, file);
  const explain = explaining(tools, parent, name, title, options);
  node.style.minHeight = `${height()}px`; // so that nothing moves when the figure appears
  const calm = unhurried(async (/** @type {boolean} */ dark) => {
    if (node.clientWidth === 0) return; // in a hidden tab; it is drawn when it gets a width
    const figure = of({ ...comparison(), dark }, node.clientWidth);
    caption.textContent = figure.caption ?? "";
    save.hidden = !figure.data.length;
    explain(() => numbersOf(name, comparison()));
    const drawn = await drawIn(node, figure, caption);
    if (drawn) followClicks(drawn, open);
  });
  return {
    node,
    /** @param {State} state */
    draw({ dark }) { calm(dark); },
  };
}

/**
 * Draw now, or as soon as the drawing before it has left the page some time: hundreds of lines take a while, and records keep coming.
 * @param {(dark: boolean) => Promise<void>} draw
 */
function unhurried(draw) {
  let busy = false, wanted = false, latest = false;
  return async function next(/** @type {boolean} */ dark) {
    [wanted, latest] = [busy, dark];
    if (busy) return;
    busy = true;
    const began = performance.now();
    try {
      await draw(dark);
      const took = performance.now() - began;
      if (took > QUICK) await new Promise((done) => { setTimeout(done, Math.min(LONGEST_REST, RESTS * took)); });
    } finally {
      busy = false;
    }
    if (wanted) next(latest);
  };
}

/**
 * A click on a seed's line opens its training.
 * @param {Drawn} node
 * @param {(training: number) => void} open
 */
function followClicks(node, open) {
  setListener(node, "plotly_click", ({ points }) => {
    const number = points?.[0]?.customdata?.[0];
    if (typeof number === "number" && number >= 0) open(number);
  });
}
