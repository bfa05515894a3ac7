// What this page knows of a sweep: the value "sweep" as the server sends it (ui/sweep/message.py).

/** @import { Sweep } from "./types.js" */

import { onValue } from "../core/feed.js";

/** @type {Sweep} */
const NOTHING = {
  axes: [], cells: [], levels: [], columns: [], sentence: "", caption: "", band: "", draw: "map", chosen: null,
  figure: { name: "bca", title: "", short: "", digits: 3, share: true },
};
let shown = NOTHING;

onValue("sweep", (sweep) => { shown = sweep; });

/** What to draw. */
export const sweepShown = () => shown;
