// The mark of each class: a shape beside its colour, so that classes are told apart without colours.

import { svg } from "../core/svg.js";

const star = Array.from({ length: 10 }, (_, k) => {
  const far = k % 2 ? 0.5 : 1.15, angle = (Math.PI * k) / 5 - Math.PI / 2;
  return `${(far * Math.cos(angle)).toFixed(2)} ${(far * Math.sin(angle)).toFixed(2)}`;
});

/** Paths around 0, about 2 wide; one for each class. */
export const MARKS = [
  "M-.95 0A.95 .95 0 1 1 .95 0A.95 .95 0 1 1 -.95 0Z", // circle
  "M-.85-.85H.85V.85H-.85Z", // square
  "M0-1.1L1.05 .8H-1.05Z", // triangle
  "M0-1.2L1.2 0L0 1.2L-1.2 0Z", // diamond
  "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z", // plus
  `M${star.join("L")}Z`, // star
  "M0 1.1L1.05-.8H-1.05Z", // triangle on its tip
  "M-1.1-.65L-.65-1.1L0-.45L.65-1.1L1.1-.65L.45 0L1.1 .65L.65 1.1L0 .45L-.65 1.1L-1.1 .65L-.45 0Z", // cross
];

/**
 * Draw the mark of a class on its button.
 * @param {Element} button
 * @param {number} c
 * @param {string} colour
 */
export function drawMark(button, c, colour) {
  button.replaceChildren();
  const picture = svg(button, "svg", { viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" });
  svg(picture, "path", { d: MARKS[c % MARKS.length], fill: colour });
}
