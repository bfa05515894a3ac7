// Drawings in SVG: their elements, lines through points, and drawings that are dragged on.

const SPACE = "http://www.w3.org/2000/svg";

/**
 * A new element of SVG with these attributes; text where it has any.
 * @template {keyof SVGElementTagNameMap} T
 * @param {Element} parent
 * @param {T} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(parent, tag, attributes, text) {
  const node = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}

/**
 * A line through points as the value of the attribute d of a path.
 * @param {[number, number][]} points
 */
export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`;

/**
 * The one drawing in `parent`, emptied; it stays the same element while it is dragged on.
 * @param {Element} parent
 * @param {number} width pixels
 * @param {number} height pixels
 * @param {string} className
 */
export function canvas(parent, width, height, className) {
  const found = /** @type {SVGSVGElement | null} */ (parent.querySelector(`svg.${className}`));
  const node = found ?? svg(parent, "svg", { class: className });
  node.setAttribute("viewBox", `0 0 ${width} ${height}`);
  node.setAttribute("width", String(width));
  node.setAttribute("height", String(height));
  return node;
}

/**
 * A place in pixels of the drawing, which may be scaled down.
 * @typedef {{ x: number, y: number }} Place
 * A stroke while it is drawn. last: where it was before, null at its beginning. erases: whether it takes away.
 * @typedef {{ last: Place | null, erases: boolean }} Stroke
 */

/** @type {WeakMap<SVGSVGElement, Stroke>} */
const strokes = new WeakMap(); // under way; kept by the element, which is drawn anew with each change

/** @param {SVGSVGElement} node @param {PointerEvent} event @returns {Place} */
function position(node, event) {
  const box = node.getBoundingClientRect(), scale = node.viewBox.baseVal.width / box.width;
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
}

/**
 * Call `at` with where the pointer is from a press on until it is released, wherever it goes meanwhile; null ends that.
 * @param {SVGSVGElement} node
 * @param {((place: Place, stroke: Stroke) => void) | null} at
 */
export function onDrag(node, at) {
  node.style.touchAction = at ? "none" : "auto"; // a finger draws, and scrolls where nothing is drawn
  node.onpointerup = node.onpointercancel = () => strokes.delete(node);
  if (!at) {
    strokes.delete(node);
    node.onpointerdown = node.onpointermove = null;
    return;
  }
  /** @param {PointerEvent} event @param {Stroke} stroke */
  const follow = (event, stroke) => {
    const place = position(node, event);
    at(place, stroke);
    stroke.last = place;
  };
  node.onpointerdown = (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const stroke = { last: null, erases: false };
    strokes.set(node, stroke);
    node.setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is selected
    follow(event, stroke);
  };
  node.onpointermove = (event) => {
    const stroke = strokes.get(node);
    if (stroke && event.isPrimary) follow(event, stroke);
  };
}
