// Text in lines, for drawings, which do not break lines by themselves.

const [WIDE, NARROW] = [/[A-ZMWmw%@—…]/, /[\s.,:;'|!ijlIft()[\]]/]; // of a sans-serif letter

/**
 * About how wide a text is drawn, in pixels.
 * @param {string} text
 * @param {number} size of the letters
 */
export function textWidth(text, size) {
  return size * [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 0.72 : NARROW.test(letter) ? 0.34 : 0.57), 0);
}

/** Where a text may break: after a space, and inside a name after what parts its words; not inside a number. @param {string} text */
export const tokens = (text) => text.split(/(?<=[\s_/])|(?<=\p{L}[-.])/u).filter(Boolean);

/**
 * A text in lines of at most so many pixels; the last of too many ends with "…".
 * @param {string} text
 * @param {number} width
 * @param {number} size
 * @param {number} most lines
 */
export function wrapped(text, width, size, most) {
  const fits = (/** @type {string} */ line) => textWidth(line.trimEnd(), size) <= width;
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const token of tokens(text).flatMap((part) => (fits(part) ? [part] : [...part]))) { // a word longer than a line breaks anywhere
    if (line && !fits(line + token)) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += token;
  }
  if (line.trim()) lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  let last = lines[most - 1];
  while (last && !fits(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last}…`];
}
