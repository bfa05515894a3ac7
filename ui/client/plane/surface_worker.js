// Computes surfaces beside the page, so that a large model does not hold it up: an entry of its own, which surface.js starts as a worker.

/** @import { Task } from "./types.js" */

import { surface } from "../model/inference.js";

globalThis.onmessage = (/** @type {MessageEvent<Task>} */ { data: { id, model, plane, us, vs } }) => {
  const found = surface(model, plane, us, vs);
  globalThis.postMessage({ id, ...found }, { transfer: [found.predicted.buffer, found.probability.buffer] });
};
