// Small helpers for elements of the page.

/** The child of `parent` with this class, made where there is none. */
export function element(parent, tag, className, attributes = {}) {
  let node = [...parent.children].find((child) => child.classList.contains(className));
  if (!node) {
    node = document.createElement(tag);
    node.className = className;
    parent.appendChild(node);
  }
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** A button with words for all readers; `sign` is what it shows. */
export function button(parent, className, sign, name, press) {
  const node = element(parent, "button", className, { type: "button", "aria-label": name, title: name });
  node.textContent = sign;
  node.onclick = press;
  return node;
}

/** A choice among [value, words] pairs, with a label before it. */
export function choice(parent, className, label, options, value, change) {
  const frame = element(parent, "label", className);
  const words = element(frame, "span", "tsk-label");
  words.textContent = label;
  const node = element(frame, "select", "tsk-select");
  if (node.options.length !== options.length || options.some(([key], k) => node.options[k].value !== String(key))) {
    node.replaceChildren(...options.map(([key, text]) => new Option(text, key)));
  }
  node.value = value;
  node.onchange = () => change(node.value);
  return node;
}
