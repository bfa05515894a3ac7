// The choices below a chart, by the names that ui/charts/declared.py declares.

/** @import { Across, Options } from "../core/types.js" */

import { choice, element, toggle } from "../core/elements.js";
import { options, setOptions } from "../core/store.js";

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

/**
 * These choices in `parent`. Returns a function that shows the options in force.
 * @param {Element} parent
 * @param {string[]} names
 */
export function chartOptions(parent, names) {
  const group = element(parent, "div", "tsk-chart-options", { role: "group", "aria-label": "Axes of this figure" });
  const shown = names.map((name) => CHOICES[name](group));
  group.hidden = !names.length;
  return (/** @type {Options} */ now) => shown.forEach((show) => show(now));
}
