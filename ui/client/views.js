// All views by name. A view is a function of its parent element and the options it is mounted with. The views that are not charts
// stand here; charts are declared in ui/charts/declared.py, and `load` adds those that a page shows.

/** @import { ChartDeclaration, FigureOf, MountOptions, View } from "./core/types.js" */

import { chart } from "./charts/chart.js";
import { epochs } from "./charts/epoch_slider.js";
import { order } from "./charts/rule_order.js";
import { tiles } from "./charts/score_tiles.js";
import { shares } from "./charts/shares.js";
import { plane } from "./plane/view.js";
import { ruleBar } from "./rules/bar.js";
import { strengths } from "./rules/strengths.js";
import { pictures } from "./rules/pictures/view.js";
import { readable } from "./rules/readable/view.js";
import { rules } from "./rules/view.js";
import { reasons } from "./row/reasons.js";
import { curves } from "./row/response_curves.js";
import { compareViews } from "./compare/views.js";
import { across } from "./learn/across.js";
import { hill } from "./learn/hill.js";
import { predict } from "./learn/predict.js";
import { paint } from "./paint/view.js";
import { sweep } from "./sweep/view.js";
import { search } from "./tuning/search.js";

/** Of lessons alone. */
const SHARES = { name: "shares", title: "Largest firing level", module: "charts/shares.js", options: [], beside: false };

/** @type {Record<string, (parent: Element, options: MountOptions) => View>} */
export const views = {
  ...compareViews, across, curves, epochs, hill, order, paint, pictures, plane, predict, readable, reasons, ruleBar, rules, search,
  strengths, sweep, tiles, shares: chart(shares, SHARES),
};

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
