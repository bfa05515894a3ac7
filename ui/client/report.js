// The charts of an exported report: the same views as on the page, of a run that stands in the file itself.

import { mount, receive } from "./place.js";
import { choose } from "./store.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const places = [...document.querySelectorAll("[data-views]")];
const ends = new Map(); // of the places that change with the epoch looked at; the others are out of sight
const sight = new IntersectionObserver(
  (seen) => { for (const { target, isIntersecting } of seen) (isIntersecting ? show : rest)(target); },
  { rootMargin: "50%" },
);

function rest(place) {
  ends.get(place)?.();
  ends.delete(place);
}

function show(place) {
  rest(place);
  ends.set(place, mount(place, { views: place.dataset.views.split(" ") }));
}

/** Draw all, and then go on with those in sight. */
function draw() {
  places.forEach(show);
  sight.disconnect();
  for (const place of places) sight.observe(place);
}

/** Paper is white and has a width of its own; drawn at once, since no frame comes between this and printing. */
function print(begins) {
  document.documentElement.classList.toggle("printing", begins);
  choose({ dark: dark.matches && !begins });
  draw();
}

receive({ ...JSON.parse(document.getElementById("run").textContent), dark: dark.matches });
draw();
dark.addEventListener("change", () => choose({ dark: dark.matches }));
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
