// What is computed beside the page, so that a large model does not hold it up: an entry of its own, which core/background.js starts.

/** @import { Answer, Task } from "./core/background.js" */

import { surface } from "./model/inference.js";
import { nearestChanges } from "./row/nearest_change.js";

/** @type {Record<string, (...given: any[]) => unknown>} */
const WORK = { nearestChanges, surface };

globalThis.onmessage = (/** @type {MessageEvent<Task>} */ { data: { id, name, given } }) => {
  /** @type {Answer} */
  const answer = { id, found: WORK[name](...given) };
  globalThis.postMessage(answer);
};
