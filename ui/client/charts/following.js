// Following the lecturer on the page of watchers (ui/live/stage.py): the epoch that the owner of a run shows is selected, until the watcher
// looks elsewhere.

import { onValue } from "../core/feed.js";
import { selectEpoch, setOptions, state } from "../core/store.js";
import { training } from "./epoch_slider.js";

/** What the lecturer shows, see ui/live/stage.py. @type {{ epoch: number | null, future: boolean } | null} */
let stage = null;
let away = false;

onValue("stage", (now) => { stage = now; });

/** Whether a lecturer leads, and whether this watcher looks elsewhere. */
export const following = () => ({ led: stage !== null, away: away && stage !== null });

/** Select what the lecturer shows, unless this watcher looks elsewhere: call this before views are drawn. */
export function keepUp() {
  if (!stage || away) return;
  const { shown: { epochs }, index, newest, future } = state(), { epoch } = stage;
  if (stage.future !== future) setOptions({ future: stage.future });
  const reached = epoch === null ? epochs.length - 1 : Math.max(0, epochs.findLastIndex((one) => one.epoch <= epoch));
  if (reached === index && (epoch !== null || newest)) return;
  selectEpoch(epoch === null || reached === epochs.length - 1 ? null : reached);
}

/** This watcher moves the slider. */
export function leave() {
  if (away || !stage) return;
  away = true;
  setOptions({ future: true });
}

/** Back to what the lecturer shows. */
export function comeBack() {
  away = false;
  training.goTo(Infinity); // where a replay goes on
  keepUp();
}
