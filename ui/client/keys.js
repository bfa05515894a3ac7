// Keys for a lecturer: letters go to the server, what moves through the epochs and opens tabs stays in the browser.

import { play, step } from "./time.js";

const WIDGETS = "input, textarea, select, [contenteditable=true], [role=combobox], [role=slider], [role=dialog] *";

/** Call `tell(letter)` for each of `letters` pressed outside of widgets; returns how to end that. */
export function listen(letters, tell) {
  const heard = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest?.(WIDGETS)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onButton = event.target.closest?.("button, [role=tab], summary, a");
    if (letters.includes(key)) tell(key);
    else if (/^[1-9]$/.test(key)) tabs()[key - 1]?.click();
    else if (onButton) return; // the space bar and the arrows are theirs
    else if (key === "ArrowLeft") step(-1);
    else if (key === "ArrowRight") step(1);
    else if (key === " ") play();
    else return;
    event.preventDefault();
  };
  window.addEventListener("keydown", heard);
  document.documentElement.dataset.tskKeys = letters.join(""); // for those who want to know whether keys are heard
  return () => {
    window.removeEventListener("keydown", heard);
    delete document.documentElement.dataset.tskKeys;
  };
}

function tabs() {
  const lists = [...document.querySelectorAll("[role=tablist]")].map((list) => [...list.querySelectorAll("[role=tab]")]);
  return lists.find((list) => list.some((tab) => tab.textContent.trim() === "Training")) ?? [];
}
