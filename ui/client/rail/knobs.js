// The settings in sight as sliders, each below its control, to which it belongs: where a link hides the control, the slider is hidden with
// it. A slider that has come to rest sends its value. A little later, settings that the server lets train by themselves are trained. And
// below each, what it did: by how much the run shown differs from its comparison where this one setting distinguishes them.

/** @import { MountOptions, State, View } from "../core/types.js" */
/** @import { Knob } from "./scales.js" */

import { element } from "../core/elements.js";
import { effectOf } from "./effect.js";
import { nearestStop, stopsOf } from "./scales.js";

const REST = 120, TRAINED = 300; // milliseconds since the last turn until a value is sent, and until it is trained
const RECENT = 2000; // milliseconds for which the server may take to draw what was turned
const PLACE = ".st-key-knobs";
/** @type {Map<string, number | string>} */
const turned = new Map(); // by key, until the server has drawn it
let turnedAt = 0, trained = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let sending;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let training;

/**
 * A view without a place of its own. options: { knobs, token } of ui/page/sidebar.py.
 * @param {Element} _
 * @param {MountOptions} options
 * @returns {View}
 */
export function knobs(_, options) {
  const given = /** @type {Knob[]} */ (options.knobs ?? []);
  const trainSoon = () => {
    const { token, send } = options;
    clearTimeout(training);
    if (!token || token === trained) return;
    const now = Date.now(), since = now - turnedAt < RECENT ? turnedAt : now;
    training = setTimeout(() => {
      trained = token;
      send?.("train", token);
    }, since + TRAINED - now);
  };
  const turn = (/** @type {Knob} */ knob, /** @type {number | string} */ value) => {
    clearTimeout(sending);
    clearTimeout(training);
    turned.set(knob.key, value);
    turnedAt = Date.now();
    sending = setTimeout(() => {
      if (value === knob.value) trainSoon(); // turned there and back
      else options.send?.("value", { key: knob.key, value });
    }, REST);
  };
  for (const { key, value } of given) if (turned.get(key) === value) turned.delete(key);
  trainSoon();
  const draw = (/** @type {State} */ now) => {
    for (const knob of given) {
      const place = document.querySelector(`${PLACE} .st-key-${knob.control}`);
      if (place) drawKnob(place, knob, (value) => turn(knob, value), effectOf(now, knob.key));
    }
  };
  return { watch, draw };
}

/**
 * Draw again where Streamlit has put an element in place of one with its slider.
 * @param {() => void} draw
 */
function watch(draw) {
  const place = document.querySelector(PLACE);
  const observer = new MutationObserver(() => {
    if (place?.querySelector("[class*=st-key-]:has(input):not(:has(.tsk-knob))")) draw();
  });
  if (place) observer.observe(place, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * @param {Element} place
 * @param {Knob} knob
 * @param {(value: number | string) => void} turn
 * @param {string} effect
 */
function drawKnob(place, knob, turn, effect) {
  const stops = stopsOf(knob), value = turned.get(knob.key) ?? knob.value;
  const row = element(place, "div", "tsk-knob");
  const slider = element(row, "input", "tsk-knob-slider", {
    type: "range", min: 0, max: stops.length - 1, step: 1, "aria-label": `${knob.label}, slider`,
  });
  const shown = element(row, "output", "tsk-knob-value");
  const show = (/** @type {number | string} */ now) => {
    slider.value = String(nearestStop(stops, now));
    slider.setAttribute("aria-valuetext", textOf(knob, now));
    setText(shown, now === knob.value ? "" : textOf(knob, now));
  };
  slider.oninput = () => {
    const now = stops[Number(slider.value)];
    show(now);
    turn(now);
  };
  show(value);
  setText(element(row, "div", "tsk-knob-effect"), effect);
}

/** @param {Knob} knob @param {number | string} value */
const textOf = ({ options, texts }, value) => (options && texts ? texts[options.indexOf(String(value))] : String(value));

/** Unless it has this text, so that an observer is not told of it. @param {Element} node @param {string} text */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
