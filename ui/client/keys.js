// Keys for a lecturer: some are reported to the server, those for epochs, tabs and boxes are handled in the browser.

import { replay, step } from "./charts/epoch_slider.js";
import { replayComparison, stepComparison } from "./compare/epoch_slider.js";

const WIDGETS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=slider]";
const BOXES = { "w": ".st-key-why button", "?": ".st-key-key_list button" }; // key -> the button that opens a box
const KEPT = 20; // presses
const [LOOK, LATEST] = [30, 500]; // milliseconds between two looks at the page; until a script begins to run after a press, if it does
/** @type {[number, string][]} */
const presses = []; // the last ones, numbered from 1 on
let count = 0;
let byPointer = false; // whether the focus came from a press of the pointer
globalThis.addEventListener?.("pointerdown", () => { byPointer = true; }, true);

/**
 * Call `pressed` with the last presses, numbered, after one of `keys` is pressed outside of widgets, as soon as the page is at rest: a
 * press on its way to the server brings the values of the widgets along, which are old until a press before it is done.
 * Returns a function that ends it.
 * @param {string[]} keys
 * @param {(presses: [number, string][]) => void} pressed
 */
export function onKeys(keys, pressed) {
  /** @param {string} key */
  const report = (key) => {
    presses.push([count += 1, key]);
    presses.splice(0, presses.length - KEPT);
    clearTimeout(timer);
    send();
  };
  let timer = 0, sent = -Infinity, began = true;
  const send = () => {
    const state = document.querySelector("[data-testid=stApp]")?.getAttribute("data-test-script-state") ?? "notRunning";
    began ||= state !== "notRunning" || performance.now() - sent > LATEST;
    if (state !== "notRunning" || !began) {
      timer = window.setTimeout(send, LOOK);
      return;
    }
    [sent, began] = [performance.now(), !document.querySelector("[data-testid=stApp]")];
    pressed([...presses]);
  };
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const left = leftByPointer(event), target = event.target instanceof Element && !left ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target?.closest(WIDGETS)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = keys.includes(key) ? () => report(key) : actionOf(key, target);
    if (!action) return;
    left?.blur(); // else it would be pressed as well
    action();
    event.preventDefault();
  };
  window.addEventListener("keydown", onKeyDown);
  document.documentElement.dataset.tskKeys = keys.join(" "); // tells others that the keys work
  return () => {
    window.removeEventListener("keydown", onKeyDown);
    clearTimeout(timer);
    delete document.documentElement.dataset.tskKeys;
    document.documentElement.classList.remove("tsk-no-buttons");
  };
}

/**
 * What has the focus, where keys work all the same: an epoch slider, which has no use for letters and the space bar, and a control of the
 * charts or a tab that was pressed with the pointer. Whoever moves the focus with the keyboard presses with it. Arrows stay with what has
 * the focus; Page Up and Page Down, which presenters' remotes send, only where it came with the keyboard.
 * @param {KeyboardEvent} event
 */
function leftByPointer({ key, target }) {
  if (key === "Tab") byPointer = false;
  const page = key === "PageDown" || key === "PageUp";
  if ((key.length > 1 && !page) || !(target instanceof HTMLElement)) return null;
  const pressed = byPointer && target.matches(".tsk-grid :is(button, select, summary), [role=tab]");
  return pressed || (target.matches(".tsk-slider") && (byPointer || !page)) ? target : null;
}

/**
 * What a key does in the browser; null for nothing.
 * @param {string} key
 * @param {Element | null} target
 */
function actionOf(key, target) {
  if (/^[1-9]$/.test(key)) return () => tabs()[Number(key) - 1]?.click();
  if (key === "e") return explainFirst;
  if (key === "v") return () => document.documentElement.classList.toggle("tsk-no-buttons");
  if (key === "w" || key === "?") return () => /** @type {HTMLElement | null} */ (document.querySelector(BOXES[key]))?.click();
  if (target?.closest("button, [role=tab], [role=dialog], summary, a, [role=region][tabindex='0'], .tsk-formula")) return null; // space and arrows are its own
  const [move, play] = document.querySelector(".tsk-view-compareBar") ? [stepComparison, replayComparison] : [step, replay];
  return { ArrowLeft: () => move(-1), ArrowRight: () => move(1), " ": play }[key] ?? null;
}

/** Open or close the explanation of the first chart in sight. */
function explainFirst() {
  const openers = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tsk-explain"))].filter((one) => one.offsetParent);
  const opener = openers.find((one) => one.getAttribute("aria-expanded") === "true") ?? openers[0];
  opener?.click();
  opener?.blur(); // which would take the arrows and the space bar
}

/** The tabs of the run, of all lists of tabs on the page. */
function tabs() {
  const lists = [...document.querySelectorAll("[role=tablist]")].map((list) => [
    .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[role=tab]")),
  ]);
  return lists.find((list) => list.some((tab) => tab.textContent?.trim() === "Training")) ?? [];
}
