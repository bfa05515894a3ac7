// The horizontal axis of the figures by epoch: epochs, gradient steps or seconds. A small batch takes many more steps in an epoch.

/** @import { About, Epoch } from "../core/messages.js" */
/** @import { Across, Run, State } from "../core/types.js" */

/** @type {Record<Across, { title: string, at: (value: number) => string, named: (value: number) => string }>} */
const UNITS = {
  epochs: { title: "Epoch", at: String, named: (value) => `epoch ${value}` },
  steps: { title: "Gradient steps", at: (value) => value.toLocaleString("en"), named: (value) => `step ${value.toLocaleString("en")}` },
  seconds: { title: "Seconds of training", at: (value) => `${value.toFixed(1)} s`, named: (value) => `${value.toFixed(1)} s` },
};

/**
 * The title of the axis, and a place on it in words: alone, and with its unit.
 * @param {State} state
 */
export const axisUnit = ({ across }) => UNITS[across];

/**
 * Where an epoch of a run stands on the axis.
 * @param {State} state
 * @param {About} about the run
 * @returns {(epoch: Epoch) => number}
 */
export function axisPosition({ across }, { steps }) {
  if (across === "seconds") return (e) => e.seconds;
  return across === "steps" ? (e) => e.epoch * (steps ?? 1) : (e) => e.epoch;
}

/**
 * Where the axis ends. While a run trains, that is the end of its plan, so that the curves grow and the figure does not jump; nobody
 * knows the seconds that this takes.
 * @param {State} state
 */
export function axisEnd(state) {
  const { shown, comparison, across } = state, { ended, epochs, steps } = shown.about;
  /** @param {Run} run */
  const last = (run) => (run.epochs.length ? axisPosition(state, run.about)(run.epochs[run.epochs.length - 1]) : 0);
  const planned = ended || across === "seconds" ? 0 : (epochs ?? 0) * (across === "steps" ? steps ?? 1 : 1);
  return Math.max(across === "seconds" ? 0.1 : 1, planned, last(shown), last(comparison));
}
