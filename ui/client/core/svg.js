// Elements of SVG.

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
