// The epoch slider of a comparison: one for all charts of all variants, with a replay, and the switch to the first epochs.

/** @import { View } from "../core/types.js" */
/** @import { Span } from "./types.js" */

import { button, choice, element } from "../core/elements.js";
import { comparison, setCompareOptions } from "./store.js";

const FRAME = 80; // milliseconds between two epochs of the replay
/** @type {[Span, string][]} */
const SPANS = [["all", "all epochs"], ["early", "first 20 epochs"], ["late", "second half"]];
let timer = 0;

/**
 * @param {Element} parent
 * @returns {View}
 */
export function compareBar(parent) {
  const bar = element(parent, "div", "tsk-epochs", { role: "group", "aria-label": "Epoch slider" });
  const play = button(bar, "tsk-play", "▶", "Replay training", replayComparison);
  const slider = element(bar, "input", "tsk-slider", { type: "range", min: 0, step: 1, "aria-label": "Selected epoch" });
  slider.oninput = () => { pause(); select(Number(slider.value)); };
  const label = element(bar, "span", "tsk-epoch", { "aria-live": "off" });
  const newest = button(bar, "tsk-newest", "▶▶", "Newest epoch", () => { pause(); setCompareOptions({ epoch: null }); });
  const span = choice(bar, "tsk-span", "Curves", SPANS, comparison().span, (value) => setCompareOptions({ span: /** @type {Span} */ (value) }));
  return {
    draw() {
      const now = comparison(), text = now.newest ? `epoch ${now.epoch} of ${now.newest}` : "no epoch yet";
      for (const node of [play, slider, newest]) node.disabled = now.newest < 1;
      slider.max = String(Math.max(1, now.newest));
      slider.value = String(now.epoch);
      slider.setAttribute("aria-valuetext", text);
      label.textContent = text;
      play.textContent = now.playing ? "❚❚" : "▶";
      play.title = now.playing ? "Pause replay" : "Replay training";
      play.setAttribute("aria-label", play.title);
      span.value = now.span;
    },
  };
}

/** Replay from the selected epoch, from the first if it is the newest; if it plays, pause. */
export function replayComparison() {
  const now = comparison();
  if (now.playing) return pause();
  if (now.newest < 1) return undefined;
  setCompareOptions({ playing: true, epoch: now.atEnd ? 0 : now.epoch });
  timer = window.setInterval(advance, FRAME);
  return undefined;
}

/**
 * Move by so many epochs, back if negative.
 * @param {number} by
 */
export function stepComparison(by) {
  pause();
  select(Math.max(0, comparison().epoch + by));
}

function advance() {
  const now = comparison();
  if (!document.querySelector(".tsk-view-compareBar") || now.epoch >= now.newest) return pause();
  return select(now.epoch + 1);
}

function pause() {
  clearInterval(timer);
  setCompareOptions({ playing: false });
}

/** @param {number} epoch */
function select(epoch) {
  setCompareOptions({ epoch: epoch < comparison().newest ? epoch : null });
}
