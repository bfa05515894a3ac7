// Small drawings as SVG.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of a drawing with these attributes, in `parent`.
 * @param {Element} parent
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function svg(parent, tag, attributes) {
  const node = parent.appendChild(document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/**
 * A line through points as the value of the attribute d of a path.
 * @param {[number, number][]} points
 */
export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`;
