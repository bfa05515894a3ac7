// Keeps a tab open that was pressed while the script ran. What a run of the script sends names the open tab: of a run that began
// before the press it is the tab before, which Streamlit opens again, and it may never tell the server of the press.

const MOST = 3; // times that a tab is pressed again
const SETTLED = 100; // milliseconds until a click has opened its tab
/** @type {Element | null} */
let pressed = null; // the last thing pressed, if it is a tab
let again = 0;

/** Watch the tabs of the page from now on. */
export function keepPressedTab() {
  if (!globalThis.MutationObserver) return; // no page
  document.addEventListener("pointerdown", () => remember(null), true); // a mouse opens a tab before there is a click
  document.addEventListener("click", ({ target }) => {
    remember(tabAt(target));
    setTimeout(reopen, SETTLED); // where another one was opened between the two
  }, true);
  document.addEventListener("keydown", () => remember(null), true);
  document.addEventListener("focusin", ({ target }) => { if (tabAt(target)) remember(tabAt(target)); }); // an arrow opens it
  new MutationObserver(reopen).observe(document.documentElement, {
    subtree: true, attributes: true, attributeFilter: ["aria-selected", "aria-disabled"],
  });
}

/** @param {EventTarget | null} target */
const tabAt = (target) => (target instanceof Element ? target.closest("[data-testid=stTabs] [role=tab]") : null);

/** @param {Element | null} tab */
function remember(tab) {
  if (tab !== pressed) again = 0;
  pressed = tab;
}

/** Press the tab once more where another one is open. */
function reopen() {
  if (!(pressed instanceof HTMLElement) || !pressed.isConnected || again === MOST) return;
  if (["aria-selected", "aria-disabled"].some((name) => pressed?.getAttribute(name) === "true")) return;
  again += 1;
  pressed.click();
}
