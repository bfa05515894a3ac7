// A smooth line for scores that jitter from epoch to epoch.

/** @import { Epoch } from "../core/messages.js" */

/**
 * Of each epoch the mean score of the epochs around it, of the same stage and up to half a window away; fewer at both ends.
 * @param {Epoch[]} epochs
 * @param {(epoch: Epoch) => number | null} of
 * @param {number} window in epochs
 * @returns {(epoch: Epoch) => number | null}
 */
export function smoothed(epochs, of, window) {
  const half = Math.floor(window / 2), values = epochs.map(of);
  const place = new Map(epochs.map((epoch, k) => [epoch, k]));
  return (epoch) => {
    const k = place.get(epoch);
    if (k === undefined || values[k] === null) return null;
    const near = values.slice(Math.max(0, k - half), k + half + 1).filter((value) => value !== null);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  };
}
