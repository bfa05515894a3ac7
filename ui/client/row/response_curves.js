// The view of the response curves: which feature, which axis, whose spread, the figure, and the feature's own field to move the row.

/** @import { MountOptions, View } from "../core/types.js" */
/** @import { Feature, Scene } from "../model/types.js" */

import { choice, element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { HEIGHT } from "../core/layout.js";
import { drawIn, setListener } from "../core/plotly.js";
import { truncated } from "../core/text.js";
import { changeRow, chooseCurve, sceneOf, watch } from "../model/selection.js";
import { curveLines } from "./explained.js";
import { curveFigure, curvesOf } from "./response_curve_figure.js";
import { changeable, plainField } from "./what_if.js";

const CONFIG = { edits: { shapePosition: true } };
/** @type {[import("../model/types.js").CurveChoice["scale"], string][]} */
const SCALES = [["probability", "probability"], ["score", "score, less its mean over the classes"]];

/**
 * A view: the prediction along one feature, the others held at the row. options: { data, rows } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function curves(parent, options) {
  const title = element(parent, "h4", "tsk-title"), bar = element(parent, "div", "tsk-curve-bar", { role: "group", "aria-label": "Response curves" });
  const node = element(parent, "div", "tsk-chart", { role: "img" }), grid = element(parent, "div", "tsk-fields");
  const caption = element(parent, "p", "tsk-caption"), tools = element(parent, "div", "tsk-tools");
  const explain = explaining(tools, parent, "curves", "Response curves", options);
  node.style.minHeight = `${HEIGHT}px`; // so that nothing moves when the figure appears
  /** @type {{ of: unknown, name: string, field: (scene: Scene) => void } | null} */
  let built = null;
  /** @type {Scene | null} */
  let last = null;
  return {
    node,
    watch,
    draw(now) {
      const scene = last = sceneOf(now, options), features = scene?.table.features.filter(changeable) ?? [];
      /** @type {HTMLElement} */ (parent).hidden = !scene || !features.length;
      if (!scene || !features.length) return;
      const ranked = scene.table.ranked.map((k) => scene.table.features[k]).filter(changeable);
      const best = ranked.find(({ kind }) => kind === "number") ?? ranked[0];
      const feature = features.find(({ name }) => name === scene.curve.feature) ?? best;
      title.textContent = "Response curves";
      choices(bar, scene, features.map(({ name }) => name), feature.name);
      if (built?.of !== scene.table || built.name !== feature.name) {
        grid.replaceChildren();
        built = { of: scene.table, name: feature.name, field: plainField(grid, scene.table, feature, () => last, `${feature.name}, of the row`) };
      }
      built.field(scene);
      if (node.clientWidth === 0) return; // in a hidden tab
      const found = curvesOf(scene, feature), figure = curveFigure(scene, feature, found);
      caption.textContent = figure.caption ?? "";
      explain(() => curveLines(scene, feature, found));
      const { levels } = scene.table.columns[feature.columns[0]];
      drawIn(node, figure, caption, CONFIG).then((drawn) => { if (drawn) follow(drawn, feature, Boolean(levels)); });
    },
  };
}

/**
 * A click on a curve, and the row's line where it is dragged to, change the row.
 * @param {import("../core/plotly.js").Drawn} node
 * @param {Feature} feature
 * @param {boolean} ordered
 */
function follow(node, { kind, columns: [d] }, ordered) {
  const numeric = kind === "number";
  setListener(node, "plotly_click", numeric ? ({ points: [{ x }] }) => changeRow({ [d]: Number(x) }) : undefined);
  setListener(node, "plotly_relayout", numeric && !ordered ? (/** @type {Record<string, unknown>} */ event) => {
    const x = event["shapes[0].x0"];
    if (typeof x === "number") changeRow({ [d]: x });
  } : undefined);
}

/**
 * @param {HTMLElement} bar
 * @param {Scene} scene
 * @param {string[]} names
 * @param {string} chosen
 */
function choices(bar, scene, names, chosen) {
  const { table: { classes, rows }, curve } = scene;
  choice(bar, "tsk-along", "Along", names.map((name) => [name, truncated(name)]), chosen, (feature) => chooseCurve({ feature }));
  choice(bar, "tsk-scale", "Show", SCALES, curve.scale, (scale) => chooseCurve({ scale: scale === "score" ? "score" : "probability" }));
  const options = classes.map((name, c) => /** @type {[string, string]} */ ([String(c), truncated(name)]));
  const predicted = /** @type {[string, string]} */ (["", "the predicted class"]);
  const band = choice(bar, "tsk-band", "Spread of", [predicted, ...options], curve.band ?? "", (value) => chooseCurve({ band: value === "" ? null : Number(value) }));
  if (band.parentElement) band.parentElement.hidden = !rows;
}
