// Work beside the page, in workers (worker.js), one for each kind of work. Where a browser starts none for us, it is done here.

/** @typedef {{ id: number, name: string, given: unknown[] }} Task */
/** @typedef {{ id: number, found: unknown }} Answer */
/** @typedef {{ node: Worker, idle: number, waiting: Map<number, { done: (found: any) => void, failed: () => void }> }} Helper */

const IDLE = 10_000; // milliseconds after which a worker is let go; the widgets of a notebook have their own
/** @type {Map<string, Helper>} */
const helpers = new Map();
let refused = false, tasks = 0;

/**
 * What worker.js computes under this name.
 * @template Found
 * @param {string} name
 * @param {unknown[]} given can be cloned
 * @param {() => Found | Promise<Found>} here computes the same where no worker does
 * @returns {Promise<Found>}
 */
export function inBackground(name, given, here) {
  const helper = helperFor(name), id = tasks += 1;
  return new Promise((done) => {
    const failed = () => done(here());
    if (!helper) return failed();
    helper.waiting.set(id, { done, failed });
    helper.node.postMessage({ id, name, given });
  });
}

/**
 * @param {string} name
 * @returns {Helper | null}
 */
function helperFor(name) {
  const known = helpers.get(name);
  if (known) clearTimeout(known.idle);
  if (known || refused || typeof Worker === "undefined") return known ?? null;
  try {
    const node = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
    /** @type {Helper} */
    const helper = { node, idle: 0, waiting: new Map() };
    node.onmessage = (/** @type {MessageEvent<Answer>} */ { data: { id, found } }) => {
      helper.waiting.get(id)?.done(found);
      helper.waiting.delete(id);
      if (!helper.waiting.size) helper.idle = window.setTimeout(() => dismiss(name), IDLE);
    };
    node.onerror = (event) => { // a page's policy may forbid it
      event.preventDefault();
      refused = true;
      dismiss(name);
      for (const { failed } of helper.waiting.values()) failed();
    };
    helpers.set(name, helper);
    return helper;
  } catch {
    refused = true;
    return null;
  }
}

/** @param {string} name */
function dismiss(name) {
  helpers.get(name)?.node.terminate();
  helpers.delete(name);
}
