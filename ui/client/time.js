// The bar that moves through the epochs of a run: play, one epoch on or back, slow motion, a slider; all in this browser.

import { button, choice, element } from "./elements.js";
import { choose, look, state as stateNow, view } from "./store.js";

const SLOW = 5;
const SPEEDS = [[SLOW, "slow motion, 5 epochs a second"], [20, "20 epochs a second"], [100, "100 epochs a second"]];
const PAUSE = 250; // milliseconds; a longer one between two frames, as in a hidden window, is not made up for
let playing = null; // while it plays: the run, the next frame's number, the last one's moment, and the epochs owed
let replayed = null; // the run that slow motion was last played for

/** A view: the bar. */
export function time(parent) {
  const bar = element(parent, "div", "tsk-time", { role: "group", "aria-label": "Move through the epochs" });
  const toggle = button(bar, "tsk-play", "▶", "Play the training again", play);
  const back = button(bar, "tsk-back", "|◀", "One epoch back", () => step(-1));
  const on = button(bar, "tsk-on", "▶|", "One epoch on", () => step(1));
  const slider = element(bar, "input", "tsk-slider", { type: "range", min: 0, step: 1, "aria-label": "Epoch looked at" });
  slider.oninput = () => visit(Number(slider.value));
  const words = element(bar, "span", "tsk-epoch", { "aria-live": "off" });
  const newest = button(bar, "tsk-newest", "▶▶", "To the newest epoch", () => visit(Infinity));
  const speeds = choice(bar, "tsk-speed", "Speed", SPEEDS, view.speed, (value) => choose({ speed: Number(value) }));
  return {
    draw(state) {
      const last = state.shown.epochs.length - 1;
      for (const node of [toggle, back, on, slider, newest]) node.disabled = last < 1;
      slider.max = Math.max(last, 1);
      slider.value = Math.max(state.index, 0);
      const said = sentence(state);
      words.textContent = said;
      slider.setAttribute("aria-valuetext", said);
      toggle.textContent = playing ? "❚❚" : "▶";
      toggle.title = playing ? "Hold" : "Play the training again";
      toggle.setAttribute("aria-label", toggle.title);
      speeds.value = state.speed;
      replay(state);
    },
  };
}

function sentence({ shown, epoch }) {
  if (!epoch) return "no epoch yet";
  return `${epoch.stage === "hold-out" ? "search, " : ""}epoch ${epoch.epoch} of ${shown.epochs.at(-1).epoch}`;
}

/** With slow motion chosen, a new run is shown from its first epoch on, however fast it trains. */
function replay({ shown, speed }) {
  if (shown.run === replayed || shown.epochs.length < 2) return;
  replayed = shown.run;
  if (speed === SLOW && !shown.about.revisited) start(0);
}

/** Play the training again from the epoch looked at, or hold. */
export function play() {
  const now = stateNow();
  if (playing) hold();
  else if (now.shown.epochs.length > 1) start(now.newest ? 0 : now.index);
}

/** Look at the epoch so many further on, or back. */
export function step(by) {
  visit(Math.max(0, stateNow().index + by));
}

/** Hold, and look at the epoch with this index; from the last one on, follow the newest. */
function visit(index) {
  hold();
  look(index < stateNow().shown.epochs.length - 1 ? index : null);
}

function start(index) {
  hold();
  choose({ future: false });
  look(index);
  playing = { run: stateNow().shown.run, frame: requestAnimationFrame(advance), moment: performance.now(), owed: 0 };
}

function hold() {
  if (playing) cancelAnimationFrame(playing.frame);
  playing = null;
  choose({ future: true });
}

function advance(moment) {
  const now = stateNow(), last = now.shown.epochs.length - 1;
  if (now.shown.run !== playing.run || !document.querySelector(".tsk-time")) return hold(); // another run, or another page
  playing.owed += (Math.min(moment - playing.moment, PAUSE) / 1000) * now.speed;
  playing.moment = moment;
  const steps = Math.max(0, Math.floor(playing.owed));
  playing.owed -= steps;
  if (now.index + steps >= last && now.shown.about.ended) return visit(last);
  if (steps > 0) look(Math.min(now.index + steps, last)); // at the last one it waits for more
  playing.frame = requestAnimationFrame(advance);
}
