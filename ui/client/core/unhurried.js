// Drawings that take long: they leave the page time in between, however often what they show changes.

const [QUICK, RESTS, LONGEST_REST] = [30, 3, 2000]; // milliseconds of a drawing without a rest; how many times as long a rest is; at most

/**
 * Draw now if it is the first time, else in a task of its own, as soon as the drawing before has left the page some time; of several that
 * wait, the last one alone.
 * @template Given
 * @param {(given: Given) => Promise<unknown>} draw
 */
export function unhurried(draw) {
  let busy = false, wanted = false, begun = false, latest = /** @type {Given} */ (undefined);
  return async function next(/** @type {Given} */ given) {
    [wanted, latest] = [busy, given];
    if (busy) return;
    busy = true;
    if (begun) await pause(0);
    [begun, wanted] = [true, false];
    const began = performance.now();
    try {
      await draw(latest);
      const took = performance.now() - began;
      if (took > QUICK) await pause(Math.min(LONGEST_REST, RESTS * took));
    } finally {
      busy = false;
    }
    if (wanted) next(latest);
  };
}

/** @param {number} time milliseconds */
const pause = (time) => new Promise((done) => { setTimeout(done, time); });
