// What this page knows of a sweep: the cells as the server sends them (ui/sweep/message.py), each message with all of them.

/** @import { Sweep } from "./types.js" */

import { observable } from "../core/observable.js";

const { subscribe, changed } = observable();
/** @type {Sweep} */
const NOTHING = {
  experiment: "", moment: 0, axes: [], cells: [], levels: [], columns: [], sentence: "", caption: "", band: "", draw: "map", chosen: null,
  figure: { name: "bca", title: "", short: "", digits: 3, share: true },
};
let shown = NOTHING;
/** @type {(variant: number) => void} */
let chooser = () => {};

export { subscribe };

/**
 * Show this sweep from now on, unless a later message came before it: Streamlit may draw an element again that it has replaced.
 * @param {Sweep} message
 * @param {(variant: number) => void} [choose] called with the variant of a cell that somebody clicks
 */
export function receiveSweep(message, choose) {
  if (message.moment < shown.moment) return;
  shown = message;
  if (choose) chooser = choose;
  changed();
}

/** What to draw. */
export const sweepShown = () => shown;

/**
 * Show the runs of a cell.
 * @param {number} variant
 */
export const chooseCell = (variant) => chooser(variant);
