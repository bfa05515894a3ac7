// The bar that moves through the epochs of a run: play, one epoch on or back, slow motion, a slider; all in this browser.

import { button, choice, element } from "./elements.js";
import { choose, look, state as stateNow } from "./store.js";

const SPEEDS = [["5", "slow motion, 5 epochs a second"], ["20", "20 epochs a second"], ["100", "100 epochs a second"]];
let speed = "20";
let playing = null; // the timer's last moment and the epochs owed, while it plays
let replayed = null; // the run that slow motion was last played for

/** A view: the bar. */
export function time(parent) {
  const bar = element(parent, "div", "tsk-time", { role: "group", "aria-label": "Move through the epochs" });
  const toggle = button(bar, "tsk-play", "▶", "Play the training again", play);
  const back = button(bar, "tsk-back", "◀", "One epoch back", () => step(-1));
  const on = button(bar, "tsk-on", "▶|", "One epoch on", () => step(1));
  back.textContent = "|◀";
  const slider = element(bar, "input", "tsk-slider", { type: "range", min: 0, step: 1, "aria-label": "Epoch looked at" });
  slider.oninput = () => { hold(); look(Number(slider.value)); };
  const words = element(bar, "span", "tsk-epoch", { "aria-live": "off" });
  const newest = button(bar, "tsk-newest", "▶▶", "To the newest epoch", () => { hold(); look(null); });
  choice(bar, "tsk-speed", "Speed", SPEEDS, speed, (value) => { speed = value; });
  return {
    draw(state) {
      const last = state.shown.epochs.length - 1;
      for (const node of [toggle, back, on, slider, newest]) node.disabled = last < 1;
      slider.max = Math.max(last, 1);
      slider.value = Math.max(state.index, 0);
      const said = state.epoch ? `${state.epoch.stage === "hold-out" ? "search, " : ""}epoch ${state.epoch.epoch} of ${state.shown.epochs.at(-1).epoch}` : "no epoch yet";
      words.textContent = said;
      slider.setAttribute("aria-valuetext", said);
      toggle.textContent = playing ? "❚❚" : "▶";
      toggle.setAttribute("aria-label", playing ? "Hold" : "Play the training again");
      toggle.title = toggle.getAttribute("aria-label");
      replay(state);
    },
  };
}

/** With slow motion chosen, a new run is shown from its first epoch on, however fast it trains. */
function replay(state) {
  const run = state.shown.run;
  if (run === replayed || state.shown.epochs.length < 2) return;
  const fresh = replayed !== null && !state.shown.about.revisited;
  replayed = run;
  if (fresh && speed === SPEEDS[0][0]) start(true);
}

/** Play the training again from the epoch looked at, or hold. */
export function play() {
  if (playing) hold();
  else if (stateNow().shown.epochs.length > 1) start();
}

/** Look at the epoch so many further on, or back. */
export function step(by) {
  hold();
  const now = stateNow();
  look(Math.min(Math.max(now.index + by, 0), now.shown.epochs.length - 1));
}

function start(again = false) {
  const now = stateNow();
  choose({ future: false });
  if (again || now.newest) look(0);
  playing = { moment: performance.now(), owed: 0 };
  requestAnimationFrame(advance);
}

function hold() {
  playing = null;
  choose({ future: true });
}

function advance(moment) {
  if (!playing) return;
  const now = stateNow();
  playing.owed += ((moment - playing.moment) / 1000) * Number(speed);
  playing.moment = moment;
  const steps = Math.floor(playing.owed);
  if (steps > 0) {
    playing.owed -= steps;
    const last = now.shown.epochs.length - 1;
    if (now.index + steps >= last && now.shown.about.ended) {
      hold();
      look(null);
      return;
    }
    look(Math.min(now.index + steps, last));
  }
  requestAnimationFrame(advance);
}
