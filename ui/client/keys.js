// Keys for a lecturer, some of which are reported to the server, those for epochs, tabs and boxes are handled in the browser; and the tab
// that was pressed while the script ran, which is kept open. What a run of the script sends names the open tab: of a run that began
// before the press it is the tab before, which Streamlit opens again, and it may never tell the server of the press.

import { training } from "./charts/epoch_slider.js";
import { allTrainings } from "./compare/views.js";

const WIDGETS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=slider]";
const BOXES = { "w": ".st-key-why button", "?": ".st-key-key_list button" }; // key -> the button that opens a box
const KEPT = 20; // presses
const [LOOK, LATEST] = [30, 500]; // milliseconds between two looks at the page; until a script begins to run after a press, if it does
/** @type {[number, string][]} */
const presses = []; // the last ones, numbered from 1 on
let count = 0;
let byPointer = false; // whether the focus came from a press of the pointer
globalThis.addEventListener?.("pointerdown", () => { byPointer = true; }, true);
const MOST = 3; // times that a tab is pressed again
const SETTLED = 100; // milliseconds until a click has opened its tab
/** @type {Element | null} */
let pressedTab = null; // the last thing pressed, if it is a tab
let again = 0;

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
  const { step, replay } = document.querySelector(".tsk-view-compareBar") ? allTrainings : training;
  return { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": replay }[key] ?? null;
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

/** Watch the tabs of the page from now on. */
export function keepPressedTab() {
  if (!globalThis.MutationObserver) return; // no page
  document.addEventListener("pointerdown", () => remember(null), true); // a mouse opens a tab before there is a click
  document.addEventListener("click", ({ target }) => {
    remember(tabAt(target));
    setTimeout(reopen, SETTLED); // where another one was opened between the two
  }, true);
  document.addEventListener("keydown", () => remember(null), true);
  document.addEventListener("focusin", ({ target }) => { if (tabAt(target)) remember(tabAt(target)); }); // an arrow opens it
  new MutationObserver(reopen).observe(document.documentElement, {
    subtree: true, attributes: true, attributeFilter: ["aria-selected", "aria-disabled"],
  });
}

/** @param {EventTarget | null} target */
const tabAt = (target) => (target instanceof Element ? target.closest("[data-testid=stTabs] [role=tab]") : null);

/** @param {Element | null} tab */
function remember(tab) {
  if (tab !== pressedTab) again = 0;
  pressedTab = tab;
}

/** Press the tab once more where another one is open. */
function reopen() {
  if (!(pressedTab instanceof HTMLElement) || !pressedTab.isConnected || again === MOST) return;
  if (["aria-selected", "aria-disabled"].some((name) => pressedTab?.getAttribute(name) === "true")) return;
  again += 1;
  pressedTab.click();
}
