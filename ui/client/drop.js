// Files for the uploader of the table: what is dropped anywhere on the page, and what the file chooser gives at a press of a button.
// It imports nothing, so that it stands in the component itself and works as soon as the buttons are seen.

const INPUT = ".st-key-file input[type=file]";
const BUTTONS = '[class*="st-key-upload_from_"] button';
const UPLOADER = "[data-testid=stFileUploaderDropzone]"; // any of them; another than ours takes what is dropped on it
const SHOWN = 8_000; // milliseconds that a refusal stays

/** @param {{ data: { kinds: string, limit: string, bytes: number } }} given as Streamlit calls a component */
export default function ({ data }) {
  return takeFiles(data.kinds, data.limit, data.bytes);
}

/**
 * Take files until the returned function is called. They go to the uploader, which sends them to the server.
 * @param {string} kinds what may be dropped, for people
 * @param {string} limit the sentence for a file of more than `bytes`
 * @param {number} bytes
 */
export function takeFiles(kinds, limit, bytes) {
  const page = document.querySelector("[data-testid=stApp]") ?? document.body;
  const target = add(page, "div", "tsk-drop", "");
  target.hidden = true;
  add(target, "strong", "tsk-drop-title", "Drop your table here");
  add(target, "span", "tsk-drop-kinds", `One file: ${kinds}.`);
  const refusal = add(page, "div", "tsk-refusal", "");
  refusal.setAttribute("role", "alert");
  let timer = 0;
  /** @param {string} text */
  const say = (text) => {
    refusal.textContent = text;
    clearTimeout(timer);
    timer = window.setTimeout(() => { refusal.textContent = ""; }, SHOWN);
  };
  /** @param {DragEvent} event */
  const over = (event) => {
    const taken = isForTable(event);
    target.hidden = !taken;
    if (taken) event.preventDefault(); // else the browser would open the file in place of the page
  };
  /** @param {DragEvent} event */
  const leave = (event) => { if (!event.relatedTarget) target.hidden = true; };
  /** @param {DragEvent} event */
  const drop = (event) => {
    target.hidden = true;
    if (!isForTable(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.stopPropagation(); // the uploader is not to take it as well
    const wrong = whyNot(event.dataTransfer, limit, bytes);
    say(wrong);
    if (!wrong) give(event.dataTransfer.files);
  };
  const ends = [
    listen("dragover", over), listen("dragleave", leave), listen("drop", drop), listen("click", openChooser),
    () => clearTimeout(timer), () => target.remove(), () => refusal.remove(),
  ];
  return () => { for (const end of ends) end(); };
}

/**
 * @param {Element} parent
 * @param {string} tag
 * @param {string} className
 * @param {string} text
 */
function add(parent, tag, className, text) {
  return parent.appendChild(Object.assign(document.createElement(tag), { className, textContent: text }));
}

/**
 * @template {keyof DocumentEventMap} T
 * @param {T} type
 * @param {(event: DocumentEventMap[T]) => void} listener
 */
function listen(type, listener) {
  document.addEventListener(type, listener, true);
  return () => document.removeEventListener(type, listener, true);
}

/** @param {DragEvent} event */
function isForTable({ dataTransfer, target }) {
  const uploader = target instanceof Element ? target.closest(UPLOADER) : null;
  return Boolean(dataTransfer?.types.includes("Files")) && (!uploader || uploader.matches(`.st-key-file ${UPLOADER}`));
}

/**
 * Why these are not one file that may be uploaded; "" where they are.
 * @param {DataTransfer} dropped
 * @param {string} limit
 * @param {number} bytes
 */
function whyNot({ files, items }, limit, bytes) {
  const [file] = files;
  if (files.length > 1) return `These are ${files.length} files; drop one, or a zip archive with one.`;
  if (!file || items[0]?.webkitGetAsEntry()?.isDirectory) return "This is not a file; drop one file with a table.";
  if (file.size > bytes) return `This file has ${Math.ceil(file.size / 2 ** 20)} MB. ${limit}`;
  return "";
}

/** @param {FileList} files */
function give(files) {
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector(INPUT));
  if (!input) return;
  forgetRefused();
  input.files = files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * The file chooser opens at a press at once; a dialog around the button closes, so that the page is seen.
 * @param {MouseEvent} event
 */
function openChooser(event) {
  const button = event.target instanceof Element ? event.target.closest(BUTTONS) : null;
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector(INPUT));
  if (!button || !input) return;
  event.preventDefault();
  event.stopPropagation(); // the server has nothing to do with it
  /** @type {HTMLElement | null | undefined} */ (button.closest("[role=dialog]")?.querySelector("button[aria-label=Close]"))?.click();
  forgetRefused();
  input.click();
}

/** Take away the files that the uploader refused: it would keep them beside the next one. */
function forgetRefused() {
  const refused = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".st-key-file [aria-invalid=true] button"));
  for (const button of refused) button.click();
}
