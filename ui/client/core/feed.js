// The feed: takes what the server sends, a message of parts (tsk_core/live/stream.py), and hands each part to the reducer of its kind.
// A part of a list has the entries from number `since` on; those that this page has are skipped. A value replaces the one before,
// unless the page brings it and it is older. Views are drawn again when anything changes.

/** @import { ListPayload, Part } from "./types.js" */

/**
 * Takes the new entries of a list. of: whose list it is. anew: whether they replace what there was.
 * @typedef {(entries: any[], list: { of: string, payload: ListPayload<any>, anew: boolean }) => void} ListReducer
 * @typedef {(payload: any, of: string) => void} ValueReducer
 */
/** @type {Map<string, ListReducer>} */
const lists = new Map();
/** @type {Map<string, ValueReducer>} */
const values = new Map();
/** @type {Map<string, { version: string, count: number }>} */
const marks = new Map(); // of each list: how many entries of which version this page has
/** @type {Map<string, number>} */
const moments = new Map(); // of each value: when it changed
export const { subscribe, changed } = observable();

/**
 * Reduce the lists of this kind.
 * @param {string} kind
 * @param {ListReducer} reducer
 */
export function onList(kind, reducer) {
  lists.set(kind, reducer);
}

/**
 * Reduce the values of this kind.
 * @param {string} kind
 * @param {ValueReducer} reducer
 */
export function onValue(kind, reducer) {
  values.set(kind, reducer);
}

/**
 * Take a message in. Returns the kinds of lists of which something before it is missing.
 * @param {Part[]} message
 * @param {boolean} [asked] whether this page asked for it: an older value is then of another subject, which it shows from now on
 */
export function receive(message, asked = false) {
  const missing = message.filter((part) => !reduce(part, asked)).map((part) => part.kind);
  changed();
  return missing;
}

/** How far this page has each list and value, as the server asks for it. */
export function marksOf() {
  const ofLists = [...marks].map(([key, { version, count }]) => [key, [version, count]]);
  return Object.fromEntries([...ofLists, ...[...moments].map(([key, moment]) => [key, [String(moment), 1]])]);
}

/**
 * Forget how far this page has lists and values of these kinds, but for those of `of`: it dropped them.
 * @param {string[]} kinds
 * @param {(string | null)[]} [of]
 */
export function forget(kinds, of = []) {
  const kept = new Set(kinds.flatMap((kind) => of.map((one) => keyOf(kind, one ?? ""))));
  for (const known of [marks, moments]) {
    for (const key of known.keys()) if (kinds.includes(key.split(" ", 1)[0]) && !kept.has(key)) known.delete(key);
  }
}

/**
 * Whether nothing before this part is missing.
 * @param {Part} part
 * @param {boolean} asked
 */
function reduce({ kind, of = "", version = "", since, payload }, asked) {
  const key = keyOf(kind, of), reducer = lists.get(kind);
  if (!reducer) {
    if (!asked && since < (moments.get(key) ?? 0)) return true; // Streamlit may draw an element again that it has replaced
    moments.set(key, since);
    values.get(kind)?.(payload, of);
    return true;
  }
  const mark = marks.get(key), anew = mark?.version !== version, count = mark && !anew ? mark.count : 0;
  if (since > count) return false;
  marks.set(key, { version, count: Math.max(count, since + payload.list.length) });
  reducer(payload.list.slice(count - since), { of, payload, anew });
  return true;
}

/** @param {string} kind @param {string} of */
const keyOf = (kind, of) => `${kind} ${of}`;

/**
 * Listeners that are called when something changes, at most once a frame: `subscribe` returns a function that ends the subscription,
 * `changed` calls all of them.
 */
export function observable() {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  let scheduled = false;
  return {
    /** @param {() => void} draw */
    subscribe(draw) {
      listeners.add(draw);
      return () => { listeners.delete(draw); };
    },
    changed() {
      if (scheduled) return;
      scheduled = true;
      // A hidden page gets no frames; it need not draw either.
      requestAnimationFrame(() => {
        scheduled = false;
        for (const draw of [...listeners]) draw();
      });
    },
  };
}
