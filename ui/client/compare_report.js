// The charts of an exported comparison: the same views as on the page, on white, of records that stand in the file itself.

import { mount, receive } from "./client.js";

receive(JSON.parse(document.getElementById("message")?.textContent ?? "[]"));
const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-views]")]);
/** @type {(() => void)[]} */
let ends = [];

function draw() {
  for (const end of ends) end();
  ends = places.map((place) => mount(place, { views: place.dataset.views?.split(" ") ?? [] }));
}

/** @param {boolean} begins */
function print(begins) {
  document.documentElement.classList.toggle("printing", begins);
  draw(); // at once: no frame comes between this and printing
}

draw();
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
