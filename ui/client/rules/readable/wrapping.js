// Text in lines, for drawings, which do not break lines by themselves.

// Widths of a sans-serif letter, as shares of its size; the first that it belongs to.
const FULL = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}！-～]/u;
const WIDTHS = /** @type {[RegExp, number][]} */ ([[FULL, 1.05], [/[A-ZMWmw%@—…]/, 0.72], [/[\s.,:;'|!ijlIft()[\]]/, 0.34], [/./su, 0.57]]);

/**
 * About how wide a text is drawn, in pixels.
 * @param {string} text
 * @param {number} size of the letters
 */
export function textWidth(text, size) {
  return size * [...text].reduce((sum, letter) => sum + (WIDTHS.find(([of]) => of.test(letter))?.[1] ?? 0), 0);
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
  const last = [...lines[most - 1]];
  while (last.length && !fits(`${last.join("")}…`)) last.pop();
  return [...lines.slice(0, most - 1), `${last.join("")}…`];
}
