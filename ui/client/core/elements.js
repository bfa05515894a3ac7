// Small helpers for elements of the page.

/**
 * The child of `parent` with this class, made where there is none.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {Element} parent
 * @param {T} tag
 * @param {string} className
 * @param {Record<string, string | number>} [attributes]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(parent, tag, className, attributes = {}) {
  const found = [...parent.children].find((child) => child.classList.contains(className));
  const node = /** @type {HTMLElementTagNameMap[T]} */ (found ?? document.createElement(tag));
  if (!found) {
    node.className = className;
    parent.appendChild(node);
  }
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/**
 * The heading of a table's column.
 * @param {string} text
 */
export const columnHeading = (text) => Object.assign(document.createElement("th"), { textContent: text, scope: "col" });

/**
 * A button that shows `text`; `name` says to every reader what it does.
 * @param {Element} parent
 * @param {string} className
 * @param {string} text
 * @param {string} name
 * @param {() => void} press
 */
export function button(parent, className, text, name, press) {
  const node = element(parent, "button", className, { type: "button", "aria-label": name, title: name });
  node.textContent = text;
  node.onclick = press;
  return node;
}

/**
 * Draw what is in `place` again. The focus stays with the button of the same name, or goes to the next one that can be pressed.
 * @param {HTMLElement} place
 * @param {() => void} draw
 */
export function keepingFocus(place, draw) {
  const active = document.activeElement, inside = active !== null && active !== place && place.contains(active);
  const name = active?.getAttribute("aria-label");
  draw();
  if (!inside) return;
  const named = [.../** @type {NodeListOf<HTMLButtonElement>} */ (place.querySelectorAll("button, input, select"))];
  const found = named.find((one) => one.getAttribute("aria-label") === name);
  if (found === document.activeElement) return;
  const usable = found?.disabled ? named.find((one) => one.parentElement === found.parentElement && !one.disabled) : found;
  const next = usable ?? (place.contains(document.activeElement) ? null : named.find(({ disabled }) => !disabled));
  next?.focus({ preventScroll: true });
}

/**
 * Explain what stands in an element, to whoever points at it, taps it, or reaches it with the keyboard.
 * @param {HTMLElement} node
 * @param {string} text
 */
export function withExplanation(node, text) {
  node.classList.add("tsk-explained");
  node.dataset.explanation = text;
  node.setAttribute("aria-description", text);
  node.tabIndex = 0;
}

/**
 * Text with a colour swatch before it, on one line with it: square for a class, round for a rule, as both use the same few colours.
 * @param {string} colour
 * @param {string} kind
 * @param {(Node | string)[]} words
 */
export function withSwatch(colour, kind, words) {
  const node = document.createElement("span"), swatch = node.appendChild(document.createElement("i"));
  node.className = "tsk-named";
  swatch.className = `tsk-swatch ${kind}`;
  swatch.style.background = colour;
  node.append(...words);
  return node;
}

/**
 * A button that is pressed or not. Returns a function that shows which, and returns the button.
 * @template State
 * @param {Element} parent
 * @param {string} className
 * @param {string} text
 * @param {string} name
 * @param {(state: State) => boolean} of
 * @param {(pressed: boolean) => void} change
 */
export function toggle(parent, className, text, name, of, change) {
  const node = button(parent, className, text, name, () => change(node.getAttribute("aria-pressed") !== "true"));
  node.classList.add("tsk-toggle");
  return (/** @type {State} */ state) => {
    node.setAttribute("aria-pressed", String(of(state)));
    return node;
  };
}

/**
 * A select with a label before it.
 * @param {Element} parent
 * @param {string} className
 * @param {string} label
 * @param {(readonly [string | number, string])[]} options values and their texts
 * @param {string | number} value
 * @param {(value: string) => void} change
 */
export function choice(parent, className, label, options, value, change) {
  const frame = element(parent, "label", className);
  element(frame, "span", "tsk-label").textContent = label;
  const node = element(frame, "select", "tsk-select");
  const stays = node.options.length === options.length
    && options.every(([key, text], k) => node.options[k].value === String(key) && node.options[k].textContent === text);
  if (!stays) {
    node.replaceChildren(...options.map(([key, text]) => new Option(text, String(key))));
  }
  node.value = String(value);
  node.onchange = () => change(node.value);
  return node;
}
