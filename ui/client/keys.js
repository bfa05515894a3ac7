// Keys for a lecturer: letters are reported to the server, keys for epochs and tabs are handled in the browser.

import { replay, step } from "./epochs.js";

const WIDGETS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=slider], [role=dialog] *";

/**
 * Call `pressed` with each of `letters` that is pressed outside of widgets. Returns a function that ends it.
 * @param {string[]} letters
 * @param {(letter: string) => void} pressed
 */
export function onKeys(letters, pressed) {
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target?.closest(WIDGETS)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = letters.includes(key) ? () => pressed(key) : actionOf(key, target);
    if (!action) return;
    action();
    event.preventDefault();
  };
  window.addEventListener("keydown", onKeyDown);
  document.documentElement.dataset.tskKeys = letters.join(""); // tells others that the keys work
  return () => {
    window.removeEventListener("keydown", onKeyDown);
    delete document.documentElement.dataset.tskKeys;
  };
}

/**
 * What a key does in the browser; null for nothing.
 * @param {string} key
 * @param {Element | null} target
 */
function actionOf(key, target) {
  if (/^[1-9]$/.test(key)) return () => tabs()[Number(key) - 1]?.click();
  if (target?.closest("button, [role=tab], summary, a")) return null; // the space bar and the arrows belong to it
  return { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": replay }[key] ?? null;
}

/** The tabs of the run, of all lists of tabs on the page. */
function tabs() {
  const lists = [...document.querySelectorAll("[role=tablist]")].map((list) => [
    .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[role=tab]")),
  ]);
  return lists.find((list) => list.some((tab) => tab.textContent?.trim() === "Training")) ?? [];
}
