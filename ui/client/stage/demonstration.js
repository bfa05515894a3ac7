// The recorded training of the first screen, which plays on the stage again and again, and asks nothing of the server but one file
// (benchmarks/demonstration.py). Once the page shows a run, or another page, nothing of it is left.

/** @import { MountOptions, Part, Rows, View } from "../core/types.js" */

import { epochBar, player } from "../charts/epoch_slider.js";
import { element } from "../core/elements.js";
import { marksOf, receive } from "../core/feed.js";
import { selectEpoch, setOptions, state as currentState } from "../core/store.js";
import { watch } from "../model/selection.js";
import { stage } from "./view.js";

const RUN = "demonstration"; // as ui/page/demonstration.py names it
const PACE = 5; // epochs a second
const REST = 2000; // milliseconds at the end
const LEAST = 300, BELOW = 12; // pixels: of the stage where the screen is low; beneath it
const HELD = 500; // milliseconds for which it stays where Streamlit takes the element away, and may give it back
const ABOUT = "A recording: three rules learn iris from petal length and width.";
/** @type {Promise<{ data: string, rows: Rows, parts: Part[] }> | undefined} */
let file;
let loops = true; // until a visitor takes the slider
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer; // of the pause at the end, or of the removal

const moves = player({
  now() {
    const { shown, index, newest } = currentState();
    return { of: shown.run, index, last: shown.epochs.length - 1, newest, ended: true, speed: PACE };
  },
  select: selectEpoch, playing: (plays) => setOptions({ future: !plays }), seen: ".tsk-demonstration",
});

/**
 * A view. options: { demonstration: the address of its file }.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function demonstration(parent, options) {
  const node = element(parent, "div", "tsk-demonstration"), line = element(node, "div", "tsk-demonstration-line");
  element(line, "p", "tsk-demonstration-text").textContent = ABOUT;
  const { bar, show } = epochBar(line, moves);
  bar.onpointerdown = bar.onkeydown = () => { loops = false; };
  const place = element(node, "div", "tsk-demonstration-stage");
  /** @type {View | null} */
  let drawn = null;
  return {
    node,
    watch(draw) {
      clearTimeout(timer);
      const unwatch = watch(draw);
      let ended = false;
      load(options).then(({ data, rows, parts }) => {
        if (ended) return;
        drawn = stage(place, { ...options, run: RUN, data, rows });
        begin(parts);
        draw();
      }, () => {}); // without its file there is no picture
      return () => {
        ended = true;
        unwatch();
        clearTimeout(timer);
        timer = setTimeout(leave, HELD);
      };
    },
    draw(now) {
      if (now.shown.run !== RUN) return;
      fit(node, place);
      show(now.index, now.shown.epochs.length - 1, `epoch ${now.epoch?.epoch ?? 0} of ${now.shown.epochs.length}`);
      drawn?.draw(now);
      if (now.newest && loops && !moves.plays()) playAgain(REST);
    },
  };
}

/** @param {MountOptions} options */
function load({ demonstration: address = "" }) {
  file ??= fetch(new URL(address, document.baseURI)).then((answer) => answer.json());
  return file;
}

/**
 * Show it from its first epoch on, or go on where it was; at its end where the visitor prefers less motion.
 * @param {Part[]} parts
 */
function begin(parts) {
  const shown = currentState();
  if (shown.shown.run !== RUN) {
    showOnly(RUN, parts);
    loops = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (loops) moves.start(0);
  } else if (loops && !shown.newest && !moves.plays()) moves.start(shown.index);
}

/**
 * Go on after a pause. A window in the background draws no frames, so it stands still there.
 * @param {number} pause
 */
function playAgain(pause) {
  clearTimeout(timer);
  timer = setTimeout(() => { if (loops && currentState().shown.run === RUN) moves.start(0); }, pause);
}

/** Forget it, unless the page shows a run. */
function leave() {
  if (currentState().shown.run !== RUN) return;
  setOptions({ future: true });
  showOnly(null, []);
}

/**
 * Show this run and no comparison; what the server said last of the runs to show counts as older than what it says next.
 * @param {string | null} shown
 * @param {Part[]} parts
 */
function showOnly(shown, parts) {
  const [moment] = marksOf()["runs "] ?? ["0"], { dark } = currentState();
  receive([{ kind: "runs", since: Number(moment), payload: { shown, comparison: null, dark } }, ...parts]);
}

/**
 * Give the stage the height that is left of the screen.
 * @param {HTMLElement} node
 * @param {HTMLElement} place
 */
function fit(node, place) {
  const page = node.closest(".stMainBlockContainer");
  if (!page) return;
  const top = place.getBoundingClientRect().top - page.getBoundingClientRect().top;
  node.style.setProperty("--tsk-stage-height", `${Math.max(LEAST, innerHeight - top - BELOW)}px`);
}
