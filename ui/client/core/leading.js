// Leading on the page of a run's owner: those who watch the run (ui/live/stage.py) get the epoch that is selected here.

/** @import { State } from "./types.js" */

import { tell } from "./live.js";

const PAUSE = 100; // milliseconds between two epochs
let said = "", at = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;

/**
 * Say what is shown, where it is not what was said last.
 * @param {string} lead the ticket that allows it
 * @param {State} now
 */
export function sayShown(lead, { epoch, newest, future }) {
  const stage = { epoch: newest || !epoch ? null : epoch.epoch, future }, text = lead + JSON.stringify(stage);
  if (text === said) return;
  said = text;
  clearTimeout(next);
  next = setTimeout(() => {
    at = Date.now();
    tell({ lead, stage });
  }, Math.max(0, at + PAUSE - Date.now()));
}
