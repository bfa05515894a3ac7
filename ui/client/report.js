// The views of an exported report, as on the page, of a run or a comparison that stands in the file itself.

import { setOptions } from "./core/store.js";
import { load, mount, receive } from "./client.js";

const { charts = [], samples = {}, message } = JSON.parse(document.getElementById("content")?.textContent ?? "{}");
const dark = matchMedia("(prefers-color-scheme: dark)");
const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-views]")]);
/** @type {Map<HTMLElement, () => void>} */
const ends = new Map(); // of the elements that follow the selected epoch; the others are out of sight
const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) (isIntersecting ? show : suspend)(/** @type {HTMLElement} */ (target));
  },
  { rootMargin: "50%" },
);

/** @param {HTMLElement} place */
function suspend(place) {
  ends.get(place)?.();
  ends.delete(place);
}

/** @param {HTMLElement} place */
function show(place) {
  suspend(place);
  ends.set(place, mount(place, { views: place.dataset.views?.split(" ") ?? [], ...samples }));
}

/** Draw all views once, then update those in sight. */
function draw() {
  places.forEach(show);
  sight.disconnect();
  for (const place of places) sight.observe(place);
}

/**
 * Paper is white and has its own width; the charts are drawn at once, since no frame comes between this and printing.
 * @param {boolean} begins
 */
function print(begins) {
  document.documentElement.classList.toggle("printing", begins);
  setOptions({ dark: dark.matches && !begins });
  draw();
}

load(charts).then(() => {
  receive(message);
  setOptions({ dark: dark.matches });
  draw();
  dark.addEventListener("change", () => setOptions({ dark: dark.matches }));
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
});
