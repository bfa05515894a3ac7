// The epoch slider: select an epoch, step through them, or replay the training at a chosen speed; all in this browser.

/** @import { State, View } from "../core/types.js" */

import { button, choice, element } from "../core/elements.js";
import { onValue } from "../core/feed.js";
import { options, selectEpoch, setOptions, state as currentState } from "../core/store.js";

const SLOW = 5;
/** @type {[number, string][]} */
const SPEEDS = [[SLOW, "5 epochs/s, slow motion"], [20, "20 epochs/s"], [100, "100 epochs/s"]];
const LONGEST_FRAME = 250; // milliseconds; time beyond it, as in a hidden window, is not caught up

/**
 * The replay while it runs: its run, the requested frame, the time of the last one, and the epochs due since.
 * @type {{ run: string | null, frame: number, time: number, due: number } | null}
 */
let playing = null;
/** @type {string | null} */
let replayed = null; // the run that slow motion was last started for

/**
 * A view: the slider with its buttons.
 * @param {Element} parent
 * @returns {View}
 */
export function epochs(parent) {
  const bar = element(parent, "div", "tsk-epochs", { role: "group", "aria-label": "Epoch slider" });
  const toggle = button(bar, "tsk-play", "▶", "Replay training", replay);
  const previous = button(bar, "tsk-previous", "|◀", "Previous epoch", () => step(-1));
  const next = button(bar, "tsk-next", "▶|", "Next epoch", () => step(1));
  const slider = element(bar, "input", "tsk-slider", { type: "range", min: 0, step: 1, "aria-label": "Selected epoch" });
  slider.oninput = () => goTo(Number(slider.value));
  const label = element(bar, "span", "tsk-epoch", { "aria-live": "off" });
  const newest = button(bar, "tsk-newest", "▶▶", "Newest epoch", () => goTo(Infinity));
  const speeds = choice(bar, "tsk-speed", "Speed", SPEEDS, options.speed, (value) => setOptions({ speed: Number(value) }));
  return {
    draw(state) {
      const last = state.shown.epochs.length - 1;
      for (const node of [toggle, previous, next, slider, newest]) node.disabled = last < 1;
      slider.max = String(Math.max(last, 1));
      slider.value = String(Math.max(state.index, 0));
      const text = position(state);
      label.textContent = text;
      slider.setAttribute("aria-valuetext", text);
      toggle.textContent = playing ? "❚❚" : "▶";
      toggle.title = playing ? "Pause replay" : "Replay training";
      toggle.setAttribute("aria-label", toggle.title);
      speeds.value = String(state.speed);
      replayInSlowMotion(state);
    },
  };
}

/** @param {State} state */
function position({ shown, epoch }) {
  if (!epoch) return "no epoch yet";
  return `${epoch.stage === "hold-out" ? "search, " : ""}epoch ${epoch.epoch} of ${shown.epochs.at(-1)?.epoch}`;
}

/**
 * With slow motion chosen, a new run is shown from its first epoch on, however fast it trains.
 * @param {State} state
 */
function replayInSlowMotion({ shown, speed }) {
  if (shown.run === replayed || shown.epochs.length < 2) return;
  replayed = shown.run;
  if (speed === SLOW && !shown.about.revisited) start(0);
}

/** Replay the training from the selected epoch, from the first if it is the newest; if it is playing, pause. */
export function replay() {
  const now = currentState();
  if (playing) pause();
  else if (now.shown.epochs.length > 1) start(now.newest ? 0 : now.index);
}

/**
 * Move by so many epochs, back if negative.
 * @param {number} by
 */
export function step(by) {
  goTo(Math.max(0, currentState().index + by));
}

/**
 * Pause, and select the epoch with this index; from the last one on, follow the newest.
 * @param {number} index
 */
function goTo(index) {
  pause();
  selectEpoch(index < currentState().shown.epochs.length - 1 ? index : null);
}

let replays = 0; // of lessons, as the server counts them
onValue("replay", (count) => {
  if (!count) { // this screen shows the end
    goTo(Infinity);
    return;
  }
  if (count > replays && !matchMedia("(prefers-reduced-motion: reduce)").matches) requestAnimationFrame(() => start(0));
  replays = count;
});

/** @param {number} index */
function start(index) {
  pause();
  setOptions({ future: false });
  selectEpoch(index);
  playing = { run: currentState().shown.run, frame: requestAnimationFrame(advance), time: performance.now(), due: 0 };
}

function pause() {
  if (playing) cancelAnimationFrame(playing.frame);
  playing = null;
  setOptions({ future: true });
}

/** @param {number} time */
function advance(time) {
  const now = currentState(), last = now.shown.epochs.length - 1;
  if (!playing || now.shown.run !== playing.run || !document.querySelector(".tsk-epochs, .tsk-chart")) return pause(); // another run, or another page
  playing.due += (Math.min(time - playing.time, LONGEST_FRAME) / 1000) * now.speed;
  playing.time = time;
  const steps = Math.max(0, Math.floor(playing.due));
  playing.due -= steps;
  if (now.index + steps >= last && now.shown.about.ended) return goTo(last);
  if (steps > 0) selectEpoch(Math.min(now.index + steps, last)); // at the last one it waits for more
  playing.frame = requestAnimationFrame(advance);
}
