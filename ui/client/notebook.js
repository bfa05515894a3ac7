// The views of a notebook's widget (tsk_core/notebook): the charts, samples and rules of one training in tabs, its scores above them.
// The kernel's messages are in the traits "part0", "part1", …, see tsk_core/notebook/view.py; `sent` changes with each of them. A widget
// has modules of its own, so that several in one notebook do not share a state.

/** @import { Plotly } from "./core/plotly.js" */
/** @import { ChartDeclaration, FigureOf, MountOptions, State } from "./core/types.js" */

import { element, tabs } from "./core/elements.js";
import { asImage, providePlotly } from "./core/plotly.js";
import { setOptions, state, subscribe } from "./core/store.js";
import { threeDecimals } from "./core/text.js";
import { load, mount, receive } from "./client.js";

const PICTURED = ["loss", "accuracy", "firing", "confusion"]; // the charts that a saved notebook has pictures of
const [WIDTH, HEIGHT] = [640, 380]; // of a picture
const LATER = 500; // milliseconds
const OF_CONDITIONS = ["readable", "strengths"]; // the views of rules that are read by their conditions
/** @type {[("rcaTest" | "bcaTest" | "rcaTrain" | "bcaTrain"), string][]} */
const SCORES = [["rcaTest", "Test RCA"], ["bcaTest", "Test BCA"], ["rcaTrain", "Training RCA"], ["bcaTrain", "Training BCA"]];

/**
 * What is used of a widget's model. given: as JSON, see Given. tabs: which are shown. status: a sentence.
 * @typedef {{
 *   get: (name: string) => any,
 *   on: (event: string, listener: () => void) => void,
 *   off: (event: string, listener: () => void) => void,
 *   send: (content: unknown) => void,
 * }} Model
 * @typedef {{ copy: string, tabs: string[], conditions: boolean, parts: number, samples: Partial<MountOptions> }} Given
 * @typedef {{
 *   charts: ChartDeclaration[], tabs: Record<string, string[]>, style: string, library: Promise<Plotly>,
 * }} File
 */

/**
 * The widget, as anywidget takes it. library: Plotly. style: of all views. tabs: the views of each.
 * @param {File} file
 */
export async function widget({ charts, tabs: views, style, library }) {
  providePlotly(library);
  await load(charts);
  /** @type {Map<number, string>} */
  const taken = new Map();
  let pictured = false;
  /** @param {Model} model */
  const take = (model) => {
    /** @type {Given} */
    const { parts } = JSON.parse(model.get("given"));
    const texts = Array.from({ length: parts }, (_, k) => /** @type {[number, string]} */ ([k, model.get(`part${k}`)])).reverse();
    const news = texts.filter(([k, text]) => taken.get(k) !== text);
    for (const [k, text] of news) taken.set(k, text);
    receive(news.flatMap(([, text]) => JSON.parse(text)));
    if (!state().shown.about.ended || pictured) return;
    pictured = true;
    picturesOf(charts).then((pictures) => model.send({ kind: "pictures", pictures }));
  };
  return {
    /** @param {{ model: Model }} given */
    initialize({ model }) {
      take(model);
      model.on("change:sent", () => take(model));
    },
    /** @param {{ model: Model, el: HTMLElement }} given */
    render: ({ model, el }) => draw(model, el, views, style),
  };
}

/**
 * Draw the widget in an element. Returns what ends the drawing.
 * @param {Model} model
 * @param {HTMLElement} el
 * @param {File["tabs"]} views
 * @param {string} style
 */
function draw(model, el, views, style) {
  /** @type {Given} */
  const { copy, tabs: names, conditions, samples } = JSON.parse(model.get("given"));
  const shown = (/** @type {string} */ name) => views[name].filter((view) => conditions || !OF_CONDITIONS.includes(view));
  const root = element(el, "div", "tsk-notebook");
  element(root, "style", "tsk-style").textContent = `${style}\n.${copy} { display: none; }`; // the copy is for where this is not drawn
  const head = element(root, "div", "tsk-notebook-head"), status = element(head, "p", "tsk-status", { role: "status" });
  const scores = element(head, "div", "tsk-scores");
  const tell = () => { status.textContent = model.get("status"); };
  const themed = () => {
    const scheme = isLight(getComputedStyle(root).color) ? "dark" : "light"; // light letters stand on a dark ground
    if (root.style.colorScheme === scheme) return;
    root.style.colorScheme = scheme;
    setOptions({ dark: scheme === "dark" });
  };
  themed();
  tell();
  const ends = [mount(element(root, "div", "tsk-notebook-epochs"), { views: ["epochs"] }), subscribe(() => drawScores(scores, state()))];
  ends.push(tabs(root, names, (name, panel) => mount(panel, { views: shown(name), ...samples })));
  drawScores(scores, state());
  ends.push(onTheme(themed));
  model.on("change:status", tell);
  return () => {
    model.off("change:status", tell);
    for (const end of ends) end();
  };
}

/**
 * Call this when the theme of the notebook may have changed: each kind of notebook says so by an attribute of the page, and its styles may
 * come a moment later. Returns what ends that.
 * @param {() => void} call
 */
function onTheme(call) {
  const observer = new MutationObserver(() => {
    call();
    setTimeout(call, LATER);
  });
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributes: true });
  return () => observer.disconnect();
}

/**
 * The scores of the selected epoch, those that were measured.
 * @param {HTMLElement} parent
 * @param {State} now
 */
function drawScores(parent, { epoch }) {
  for (const [field, label] of SCORES) {
    const value = epoch?.[field], node = element(parent, "div", `tsk-score-${field}`);
    node.hidden = value == null;
    element(node, "div", "tsk-tile-label").textContent = label;
    element(node, "span", "tsk-tile-value").textContent = threeDecimals(value);
  }
}

/**
 * Whether a colour "rgb(r, g, b)" is nearer to white than to black.
 * @param {string} colour
 */
function isLight(colour) {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number), most = colour.startsWith("rgb") ? 255 : 1;
  return 0.299 * r + 0.587 * g + 0.114 * b > most / 2;
}

/**
 * Pictures of the main charts at the end, for the copy that a saved notebook keeps: title, sentence and image of each.
 * @param {ChartDeclaration[]} charts
 */
async function picturesOf(charts) {
  const pictures = [];
  for (const { name, title, module } of charts) {
    if (!PICTURED.includes(name)) continue;
    const figures = /** @type {Record<string, FigureOf>} */ (await import(`./${module}`));
    const figure = figures[name]({ ...state(), dark: false, title });
    if (!figure.data.some((trace) => Array.isArray(trace.x) && trace.x.length)) continue;
    pictures.push({ title, text: figure.name, image: await asImage(figure, WIDTH, HEIGHT) });
  }
  return pictures;
}
