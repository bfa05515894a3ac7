// The epoch slider: select an epoch, step through them, or replay the training at a chosen speed; all in this browser. And the scores
// of the newest epoch while a run trains, and of a selected one; those at the end the server writes (ui/explore/scores.py).

/** @import { Epoch, MountOptions, State, View } from "../core/types.js" */

import { button, choice, element } from "../core/elements.js";
import { onValue } from "../core/feed.js";
import { sayShown } from "../core/leading.js";
import { options, selectEpoch, setOptions, state as currentState } from "../core/store.js";
import { comparisonLabel, difference, signed, threeDecimals } from "../core/text.js";

const SLOW = 5;
/** @type {[number, string][]} */
const SPEEDS = [[SLOW, "5 epochs/s, slow motion"], [20, "20 epochs/s"], [100, "100 epochs/s"]];
const LONGEST_FRAME = 250; // milliseconds; time beyond it, as in a hidden window, is not caught up
/** @type {string | null} */
let replayed = null; // the run that slow motion was last started for
let replays = 0; // of lessons, as the server counts them

/**
 * What an epoch slider moves through. now: of what, the index of the selected epoch and of the last one, whether it follows the newest,
 * whether no more will come, and epochs a second. select: null follows the newest. playing: is told when a replay begins and ends.
 * seen: what the page has while it shows the epochs.
 * @typedef {{
 *   now: () => { of: string | null, index: number, last: number, newest: boolean, ended: boolean, speed: number },
 *   select: (index: number | null) => void, playing: (plays: boolean) => void, seen: string,
 * }} Epochs
 * @typedef {ReturnType<typeof player>} Player
 */

/**
 * Goes to an epoch, or by some epochs, and replays them.
 * @param {Epochs} epochs
 */
export function player({ now, select, playing, seen }) {
  /** @type {{ of: string | null, frame: number, time: number, due: number } | null} */
  let replaying = null; // of what, the requested frame, the time of the last one, and the epochs due since
  const pause = () => {
    if (replaying) cancelAnimationFrame(replaying.frame);
    replaying = null;
    playing(false);
  };
  const goTo = (/** @type {number} */ index) => {
    pause();
    select(index < now().last ? index : null); // from the last one on, follow the newest
  };
  const start = (/** @type {number} */ index) => {
    pause();
    playing(true);
    select(index);
    replaying = { of: now().of, frame: requestAnimationFrame(advance), time: performance.now(), due: 0 };
  };
  const advance = (/** @type {number} */ time) => {
    const { of, index, last, ended, speed } = now();
    if (!replaying || of !== replaying.of || !document.querySelector(seen)) return pause(); // another run, or another page
    replaying.due += (Math.min(time - replaying.time, LONGEST_FRAME) / 1000) * speed;
    replaying.time = time;
    const steps = Math.max(0, Math.floor(replaying.due));
    replaying.due -= steps;
    if (index + steps >= last && ended) return goTo(last);
    if (steps > 0) select(Math.min(index + steps, last)); // at the last one it waits for more
    replaying.frame = requestAnimationFrame(advance);
  };
  return {
    goTo, start, plays: () => replaying !== null,
    step: (/** @type {number} */ by) => goTo(Math.max(0, now().index + by)),
    /** Replay from the selected epoch, from the first if it is the newest; if it is playing, pause. */
    replay() {
      const { index, last, newest } = now();
      if (replaying) pause();
      else if (last >= 1) start(newest ? 0 : index);
    },
  };
}

/**
 * The slider with its buttons. Returns its place, and a function that shows the selected epoch, the last one, and what is said of them.
 * @param {Element} parent
 * @param {Player} moves
 * @param {boolean} [steps] whether it has buttons for the epoch before and the next one
 */
export function epochBar(parent, moves, steps = false) {
  const bar = element(parent, "div", "tsk-epochs", { role: "group", "aria-label": "Epoch slider" });
  const play = button(bar, "tsk-play", "▶", "Replay training", moves.replay), nodes = /** @type {{ disabled: boolean }[]} */ ([play]);
  if (steps) {
    nodes.push(button(bar, "tsk-previous", "|◀", "Previous epoch", () => moves.step(-1)));
    nodes.push(button(bar, "tsk-next", "▶|", "Next epoch", () => moves.step(1)));
  }
  const slider = element(bar, "input", "tsk-slider", { type: "range", min: 0, step: 1, "aria-label": "Selected epoch" });
  slider.oninput = () => moves.goTo(Number(slider.value));
  const label = element(bar, "span", "tsk-epoch", { "aria-live": "off" });
  nodes.push(slider, button(bar, "tsk-newest", "▶▶", "Newest epoch", () => moves.goTo(Infinity)));
  const show = (/** @type {number} */ index, /** @type {number} */ last, /** @type {string} */ text) => {
    for (const node of nodes) node.disabled = last < 1;
    slider.max = String(Math.max(last, 1));
    slider.value = String(Math.max(index, 0));
    slider.setAttribute("aria-valuetext", text);
    label.textContent = text;
    play.textContent = moves.plays() ? "❚❚" : "▶";
    play.title = moves.plays() ? "Pause replay" : "Replay training";
    play.setAttribute("aria-label", play.title);
  };
  return { bar, show };
}

/** Of the run shown. */
export const training = player({
  now() {
    const { shown, index, newest, speed } = currentState();
    return { of: shown.run, index, last: shown.epochs.length - 1, newest, ended: Boolean(shown.about.ended), speed };
  },
  select: selectEpoch, playing: (plays) => setOptions({ future: !plays }), seen: ".tsk-epochs, .tsk-chart",
});

onValue("replay", (count) => {
  if (!count) { // this screen shows the end
    training.goTo(Infinity);
    return;
  }
  if (count > replays && !matchMedia("(prefers-reduced-motion: reduce)").matches) requestAnimationFrame(() => training.start(0));
  replays = count;
});

/**
 * A view: the slider of the run shown.
 * @param {Element} parent
 * @param {Partial<MountOptions>} [options] lead: the ticket with which those who watch follow
 * @returns {View}
 */
export function epochs(parent, { lead } = {}) {
  const { bar, show } = epochBar(parent, training, true);
  const speeds = choice(bar, "tsk-speed", "Speed", SPEEDS, options.speed, (value) => setOptions({ speed: Number(value) }));
  return {
    draw(state) {
      show(state.index, state.shown.epochs.length - 1, position(state));
      speeds.value = String(state.speed);
      replayInSlowMotion(state);
      if (lead) sayShown(lead, state);
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
  if (speed === SLOW && !shown.about.revisited) training.start(0);
}

/**
 * A view: the scores of the selected epoch; of the newest one while the run has not ended (`options.live`), else none.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function tiles(parent, { live, presenting }) {
  return {
    draw(now) {
      const { epoch, newest } = now, drawn = Boolean(live || (epoch && !newest)), when = newest ? "" : selectedText(epoch);
      parent.classList.toggle("tsk-past", drawn); // ui/page.css shows either this view or the server's numbers
      if (!drawn) return parent.replaceChildren();
      tile(parent, "rca", `Accuracy${when}`, threeDecimals(epoch?.rcaTest), changeText(now, "rcaTest"));
      tile(parent, "bca", `Balanced accuracy${when}`, threeDecimals(epoch?.bcaTest), changeText(now, "bcaTest"));
      if (!presenting || !newest) epochTile(parent, now); // else the slider in the line below says it
    },
  };
}

/** @param {Epoch | null} epoch */
const selectedText = (epoch) => (epoch ? `, ${epoch.stage === "hold-out" ? "search, " : ""}epoch ${epoch.epoch}` : "");

/** @param {Element} parent @param {State} now */
function epochTile(parent, { epoch, shown, newest }) {
  const most = shown.about.epochs ?? shown.epochs.at(-1)?.epoch ?? "–";
  tile(parent, "epoch", newest ? "Epoch" : "Epoch selected", `${epoch?.epoch ?? 0} / ${most}`, "");
}

/**
 * @param {Element} parent
 * @param {string} name
 * @param {string} label
 * @param {string} value
 * @param {string} less the difference to the comparison, "" for none
 */
function tile(parent, name, label, value, less) {
  const node = element(parent, "div", `tsk-tile-${name}`);
  element(node, "div", "tsk-tile-label").textContent = label;
  element(node, "span", "tsk-tile-value").textContent = value;
  element(node, "span", "tsk-tile-less").textContent = less && ` ${less}`;
}

/**
 * The score less that of the comparison in the same epoch, subtracted as displayed; "" where it has none, or other test rows.
 * @param {State} now
 * @param {"rcaTest" | "bcaTest"} field
 */
function changeText(now, field) {
  const { epoch, comparison } = now, score = epoch?.[field];
  const old = comparison.epochs.find((e) => e.epoch === epoch?.epoch && e.stage === epoch.stage)?.[field];
  if (score == null || old == null || !comparison.about.sameTestRows) return "";
  return `${signed(difference(score, old), 3)} vs ${comparisonLabel(now)}`;
}
