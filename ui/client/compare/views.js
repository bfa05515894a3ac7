// The charts of a comparison as views, each drawn in place whenever a record comes or the selected epoch changes, with one epoch slider
// for all of them, and their numbers for Explain.

/** @import { Drawn } from "../core/plotly.js" */
/** @import { Figure, MountOptions, State, View } from "../core/types.js" */
/** @import { ComparisonState, Quantity, Span, Training } from "./types.js" */

import { choice, element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { height } from "../core/layout.js";
import { drawIn, saveButtons, setListener } from "../core/plotly.js";
import { unhurried } from "../core/unhurried.js";
import { counted, few, meanText, percent, sum, threeDecimals, timesText, truncated, written } from "../core/text.js";
import { epochBar, player } from "../charts/epoch_slider.js";
import { CURVES, curvesFigure, spread } from "./curves.js";
import { confusionPanels, detailsAt, entropyPanels, firingPanels, meanShares, planePanels } from "./panels.js";
import { comparison, setCompareOptions } from "./store.js";

const SPEED = 12.5; // epochs a second, of the replay
/** @type {[Span, string][]} */
const SPANS = [["all", "all epochs"], ["early", "first 20 epochs"], ["late", "second half"]];
const NAME = 40; // characters of a variant or class
const MOST = 6; // variants whose numbers are written

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

/** The epochs of all trainings. */
export const allTrainings = player({
  now() {
    const { experiment, epoch, newest, atEnd } = comparison();
    return { of: experiment, index: epoch, last: newest, newest: atEnd, ended: true, speed: SPEED };
  },
  select: (epoch) => setCompareOptions({ epoch }), playing: () => setCompareOptions({}), seen: ".tsk-view-compareBar",
});

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

/**
 * A view: the epoch slider, with the choice of the epochs that the curves show.
 * @param {Element} parent
 * @returns {View}
 */
function compareBar(parent) {
  const { bar, show } = epochBar(parent, allTrainings);
  const span = choice(bar, "tsk-span", "Curves", SPANS, comparison().span, (value) => setCompareOptions({ span: /** @type {Span} */ (value) }));
  return {
    draw() {
      const now = comparison();
      show(now.epoch, now.newest, now.newest ? `epoch ${now.epoch} of ${now.newest}` : "no epoch yet");
      span.value = now.span;
    },
  };
}

/**
 * The numbers of a chart, by its name.
 * @param {string} name
 * @param {ComparisonState} now
 */
export function numbersOf(name, now) {
  const of = PANELS[name] ?? ((/** @type {Training[]} */ trainings) => seedsText(trainings, CURVES[name].of, now));
  const lines = now.trainings.flatMap((trainings, v) => {
    const text = of(trainings, now);
    return text ? [`${truncated(now.about.variants[v].name, NAME)}: ${text}`] : [];
  });
  const rest = lines.length - MOST;
  return rest > 0 ? [...lines.slice(0, MOST), `And ${counted(rest, "further variant")}.`] : lines;
}

/** @type {Record<string, (trainings: Training[], now: ComparisonState) => string>} "" for a variant without numbers */
const PANELS = { compareFiring: firingText, compareEntropy: entropyText, compareConfusion: confusionText, comparePlane: planeText };

/**
 * The mean over the seeds at the selected epoch, and half the width of the band.
 * @param {Training[]} trainings
 * @param {Quantity} of
 * @param {ComparisonState} now
 */
function seedsText(trainings, of, { epoch, about }) {
  const reached = trainings.reduce((most, one) => Math.max(most, one.curves.epoch.length - 1), 0), at = Math.min(epoch, reached);
  const values = /** @type {number[]} */ (trainings.map((one) => one.curves[of][at]).filter((value) => value != null));
  if (!values.length) return "";
  const factors = about.band === "ci" ? about.factors : null, { n, half } = spread(values, factors), sd = spread(values, null).half;
  return `epoch ${at}, ${meanText(values)}${half === null ? "" : bandText(half, Number(sd), factors?.[n] ?? null)}.`;
}

/**
 * As "; band ± SD = ± 0.046", or "; band ± 2.48 · 0.046 = ± 0.115".
 * @param {number} half
 * @param {number} sd
 * @param {number | null} factor by which the interval is wider than the standard deviation, null where the band is that
 */
function bandText(half, sd, factor) {
  if (factor === null) return `; band ± SD = ± ${threeDecimals(half)}`;
  const width = (/** @type {number[]} */ [a, b]) => (a * b).toFixed(3), result = width([factor, sd]);
  return `; band ± ${written([factor, sd], width, result).join(" · ")} = ± ${result}`;
}

/** @param {Training[]} trainings @param {ComparisonState} now */
function firingText(trainings, { epoch }) {
  const highest = detailsAt(trainings, epoch).map(({ firing }) => firing);
  if (!highest.length) return "";
  const R = Math.max(...highest.map((levels) => levels.length)), mean = highest.reduce((all, [first]) => all + first, 0) / highest.length;
  return `most active rule ${meanText(highest.map(([first]) => first))}; ${timesText(mean, R)} times an equal share.`;
}

/** @param {Training[]} trainings @param {ComparisonState} now */
function entropyText(trainings, { epoch }) {
  const found = detailsAt(trainings, epoch);
  if (!found.length) return "";
  const shares = meanShares(found.map(({ entropy }) => entropy)), R = Math.max(...found.map(({ firing }) => firing.length));
  const mean = shares.reduce((all, share, k) => all + (share * (k + 0.5)) / shares.length, 0).toFixed(2), E = Number(mean) * Math.log(R);
  return `mean of the bars ${mean}, and ${mean} · log ${R} = ${E.toFixed(2)}: exp ${E.toFixed(2)} = ${Math.exp(Number(E.toFixed(2))).toFixed(1)} rules that fire equally.`;
}

/** @param {Training[]} trainings @param {ComparisonState} now */
function confusionText(trainings, { epoch }) {
  const found = detailsAt(trainings, epoch).flatMap(({ confusion }) => (confusion ? [confusion] : []));
  if (!found.length) return "";
  const right = found[0].map((_, c) => found.reduce((all, counts) => all + counts[c][c], 0));
  const rows = sum(found.flat(2));
  return rows ? `RCA over ${counted(found.length, "seed")} = (${few(right.map(String)).join(" + ")}) / ${rows} = ${threeDecimals(sum(right) / rows)}.` : "";
}

/** @param {Training[]} trainings @param {ComparisonState} now */
function planeText(trainings, { epoch, about }) {
  const one = trainings.find(({ plane, looks }) => plane && looks);
  if (!one?.plane || !one.looks) return "";
  const at = Math.max(0, one.looks.epoch.findLastIndex((t) => t <= epoch)), cells = [...one.plane.classes[at]];
  const counts = about.classes.map((name, c) => ({ name, n: cells.filter((letter) => letter.charCodeAt(0) - 97 === c).length }));
  const top = counts.reduce((best, count) => (count.n > best.n ? count : best));
  return `${truncated(top.name, NAME)} is predicted at ${top.n} of ${cells.length} places of the plane, ${top.n}/${cells.length} = ${percent(top.n / cells.length)}.`;
}
