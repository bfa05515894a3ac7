// What is new of what the page shows, beside Streamlit: one websocket a tab (ui/live/route.py), on which the browser says which subjects
// it shows and how far it has them. It connects again by itself, with growing pauses; where a proxy refuses websockets, it asks over
// HTTP. A mark says while the page is cut off.

/** @import { Part } from "./types.js" */

import { marksOf, onValue, receive } from "./feed.js";

/**
 * What one element of the page follows. drawn: the state of each subject that the page was drawn with. send: tells the server that
 * one is in another state.
 * @typedef {{ key: string, tickets: string[], parts: Part[], drawn: Record<string, object> }} Watched
 * @typedef {(name: "changed", value: string) => void} Send
 */
const FIRST_PAUSE = 500, LONGEST_PAUSE = 15_000; // milliseconds until the next try
const POLL = 1000, REFUSED = 2; // milliseconds between two questions over HTTP; tries that never connected before these
const SOON = 1000, AGAIN = 4000; // milliseconds until a page is compared that was just drawn, or asked for again
const NOTED = 3000; // milliseconds without a connection until the mark appears
const LOOK = 5000, SLEPT = 90_000; // milliseconds between two looks at the clock, and from which on the computer has slept in between
/** @type {Map<string, { watched: Watched, send: Send }>} */
const elements = new Map();
/** @type {Map<string, object>} */
const states = new Map(); // of each subject, as it is now
/** @type {WebSocket | null} */
let socket = null;
let tries = 0, everOpen = false, openSince = Infinity, asked = "", order = Promise.resolve();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let redrawing;
let justDrawn = false;
let wanted = { state: "", pause: AGAIN, due: 0 }; // with which the page was last asked for again, and when it may be asked for once more

onValue("state", (state, of) => {
  states.set(of, state);
  if (!justDrawn) compare();
});
onValue("gone", (sentence) => { document.documentElement.dataset.tskGone = sentence; }); // such as that a run was deleted

/**
 * Follow what an element of the page names, until the returned function is called or the element names something else.
 * @param {Watched} watched
 * @param {Send} send
 */
export function watch(watched, send) {
  const own = { watched, send };
  elements.set(watched.key, own);
  receive(watched.parts);
  changed();
  return () => {
    if (elements.get(watched.key) !== own) return;
    elements.delete(watched.key);
    changed();
  };
}

/** Something else is shown: say so, once all elements of the page were drawn. */
function changed() {
  justDrawn = true; // the page may know more than the last message
  delete document.documentElement.dataset.tskGone;
  compareIn(SOON);
  setTimeout(ask, 0);
}

let told = {}; // what the server is told last, which a new connection says again
/**
 * Tell the server something beside what it is asked.
 * @param {object} said
 */
export function tell(said) {
  told = said;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(said));
}

/** What to ask for: the subjects, and how far the page has what they are of. */
const question = () => JSON.stringify({ tickets: ticketsNow(), have: marksOf(), ...told });
const ticketsNow = () => [...new Set([...elements.values()].flatMap(({ watched }) => watched.tickets))];
const address = () => new URL("./live", document.baseURI);

/** Ask for what the page shows now, unless it was asked for. */
function ask() {
  const tickets = ticketsNow().join();
  if (tickets === asked && (socket || !tickets)) return;
  if (socket?.readyState === WebSocket.OPEN) {
    asked = tickets;
    socket.send(question());
  } else if (tickets && !socket) connect();
}

function connect() {
  clearTimeout(next);
  const to = address();
  to.protocol = to.protocol.replace("http", "ws");
  const opened = socket = new WebSocket(to);
  openSince = Infinity;
  opened.binaryType = "arraybuffer";
  opened.onopen = () => {
    [everOpen, openSince, asked] = [true, Date.now(), ""];
    cutOff(false);
    ask();
  };
  opened.onmessage = ({ data }) => take(data, opened);
  opened.onclose = () => giveUp(opened);
}

/**
 * Try again later, unless another connection was made meanwhile; soon where this one has lasted.
 * @param {WebSocket} lost
 */
function giveUp(lost) {
  if (socket !== lost) return;
  tries = Date.now() - openSince > LONGEST_PAUSE ? 1 : tries + 1;
  [socket, asked] = [null, ""];
  lost.close();
  cutOff(true);
  if (ticketsNow().length) tryLater();
}

/** Try to connect after a pause; where a websocket never opened, ask over HTTP meanwhile. */
function tryLater() {
  const refused = !everOpen && tries >= REFUSED;
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(tries, 10), LONGEST_PAUSE) * (0.5 + Math.random()); // not all tabs of a room at once
  clearTimeout(next);
  next = setTimeout(refused && tries % 30 ? poll : connect, refused ? POLL : pause);
}

async function poll() {
  tries += 1;
  try {
    const answer = await fetch(address(), { method: "POST", body: question() });
    if (!answer.ok) throw new Error(answer.statusText);
    receive(await answer.json(), true);
    cutOff(false);
  } catch {
    cutOff(true);
  }
  if (ticketsNow().length && !socket) tryLater();
}

/**
 * Take a message in, after those before it: a large one is compressed. Where something before it is missing, ask from where the page is.
 * @param {string | ArrayBuffer} data
 * @param {WebSocket} from
 */
function take(data, from) {
  order = order.then(async () => {
    const text = typeof data === "string" ? data : await unpacked(data);
    if (socket === from && receive(JSON.parse(text), true).length) {
      asked = "";
      ask();
    }
  }).catch((error) => {
    console.error(error);
    giveUp(from);
  });
}

/** @param {ArrayBuffer} data */
function unpacked(data) {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/** Draw the page again where it was drawn with another state of a subject, and again later where it then still is. */
function compare() {
  justDrawn = false;
  clearTimeout(redrawing);
  for (const { watched: { drawn }, send } of elements.values()) {
    const other = Object.keys(drawn).find((of) => states.has(of) && !same(drawn[of], states.get(of)));
    if (other === undefined) continue;
    const state = `${other} ${JSON.stringify(states.get(other))}`, now = Date.now();
    if (state !== wanted.state) wanted = { state, pause: AGAIN / 2, due: now };
    if (now >= wanted.due) {
      wanted = { state, pause: 2 * wanted.pause, due: now + 2 * wanted.pause };
      send("changed", `${state} ${wanted.pause}`);
    }
    return compareIn(wanted.due - now);
  }
  wanted.state = "";
}

/** @param {number} milliseconds */
function compareIn(milliseconds) {
  clearTimeout(redrawing);
  redrawing = setTimeout(compare, milliseconds);
}

/** @param {object} a @param {object | undefined} b */
const same = (a, b) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b ?? {}).sort());

/** @type {ReturnType<typeof setTimeout> | undefined} */
let marking;
/**
 * Show the mark, once the page was cut off for a while, or hide it.
 * @param {boolean} isCut
 */
function cutOff(isCut) {
  const { classList } = document.documentElement;
  if (isCut) {
    marking ??= setTimeout(() => classList.add("tsk-cut-off"), NOTED);
    return;
  }
  clearTimeout(marking);
  marking = undefined;
  classList.remove("tsk-cut-off");
}

const wake = () => {
  if (!socket && ticketsNow().length) connect();
};
if (typeof addEventListener === "function") {
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
  let looked = Date.now();
  setInterval(() => { // the other end has gone meanwhile, which nobody tells a browser
    if (Date.now() - looked > SLEPT) {
      socket?.close();
      socket = null;
      wake();
    }
    looked = Date.now();
  }, LOOK);
}
