// The entry of the client: mounts views on an element of the page and draws them when the state changes. A view is a function of its
// parent element and the options it is mounted with. The views that are not charts stand here; charts are declared in
// ui/charts/declared.py, and `load` adds those that a page shows.

/** @import { ChartDeclaration, FigureOf, MountOptions, View } from "./core/types.js" */

import { element } from "./core/elements.js";
import { subscribe } from "./core/feed.js";
import { standing } from "./core/standing.js";
import { state } from "./core/store.js";
import { chart, order } from "./charts/chart.js";
import { epochs, tiles } from "./charts/epoch_slider.js";
import { shares } from "./charts/firing.js";
import { plane } from "./plane/view.js";
import { pictures } from "./rules/pictures/view.js";
import { readable } from "./rules/readable.js";
import { strengths } from "./rules/strengths.js";
import { ruleBar, rules } from "./rules/view.js";
import { reasons } from "./row/reasons.js";
import { responseCurves } from "./row/response_curves.js";
import { compareViews } from "./compare/views.js";
import { paint } from "./paint/view.js";
import { knobs } from "./rail/knobs.js";
import { demonstration } from "./stage/demonstration.js";
import { stage } from "./stage/view.js";
import { sweep } from "./sweep/view.js";
import { tuning } from "./tuning/search.js";
import { hill } from "./learn/hill.js";
import { across, predict } from "./learn/predict.js";
import { keepPressedTab } from "./keys.js";

/** Of lessons alone. */
const SHARES = { name: "shares", title: "Largest firing level", module: "charts/firing.js", options: [], beside: false };
/** @type {Record<string, (parent: Element, options: MountOptions) => View>} */
const views = {
  ...compareViews, across, demonstration, epochs, hill, knobs, order, paint, pictures, plane, predict, readable, reasons, ruleBar, rules,
  stage, standing, strengths, sweep, tiles, curves: responseCurves, search: tuning, shares: chart(shares, SHARES),
};

/**
 * Show the views named in `options.views` in `parent`; charts among them have to be loaded. Mounted again on the same element, the
 * views continue as they were. Returns a function that ends the drawing.
 * @param {Element} parent
 * @param {MountOptions} given
 * @param {MountOptions["send"]} [send] tells the server something by one of the names in `given.calls`
 */
export function mount(parent, given, send) {
  const grid = element(parent, "div", "tsk-grid"), options = { ...given, send };
  const mounted = options.views.map((name) => views[name](element(grid, "div", `tsk-view-${name}`), options));
  const draw = () => {
    const now = state();
    now.dark = isDark(grid, now.dark);
    for (const view of mounted) view.draw(now);
  };
  grid.ontransitionend = (event) => { if (event.target === grid) draw(); }; // the theme changed, see client.css
  const widths = () => mounted.map((view) => view.node?.clientWidth).join();
  let drawnAt = widths();
  const observer = new ResizeObserver(() => { // not for a new height, which comes from the figure itself
    if (widths() === drawnAt) return;
    drawnAt = widths();
    draw();
  });
  for (const { node } of mounted) if (node) observer.observe(node);
  const ends = [subscribe, ...mounted.map((view) => view.watch)].map((watch) => watch?.(draw));
  draw();
  return () => {
    observer.disconnect();
    for (const end of ends) end?.();
    grid.ontransitionend = null;
  };
}

/**
 * Whether the page is dark by its own style, else what the server knows: a visitor can change the theme without the server.
 * @param {Element} grid
 * @param {boolean} server
 */
function isDark(grid, server) {
  const scheme = getComputedStyle(grid).colorScheme;
  return ["dark", "light"].includes(scheme) ? scheme === "dark" : server;
}

/**
 * Add these charts to the views.
 * @param {ChartDeclaration[]} charts
 */
export async function load(charts) {
  await Promise.all(charts.map(async (declared) => {
    const figures = /** @type {Record<string, FigureOf>} */ (await import(`./${declared.module}`));
    views[declared.name] ??= chart(figures[declared.name], declared);
  }));
}

keepPressedTab();

export { receive } from "./core/feed.js";
export { watch } from "./core/live.js";
export { onKeys } from "./keys.js";
