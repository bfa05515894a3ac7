// On a phone the list of pages stands in the drawer, which Streamlit leaves open over the page that was chosen.
// It imports nothing, so that it stands in the component itself and works on every page.

const LINK = "[data-testid=stSidebarNavLink]", CLOSE = "[data-testid=stSidebarCollapseButton] button";
const NARROW = "(max-width: 768px)"; // up to which Streamlit lays the drawer over the page

/** Close the drawer after each choice, until the returned function is called; as Streamlit calls a component. */
export default function () {
  /** @param {MouseEvent} event */
  const close = ({ target }) => {
    if (!(target instanceof Element) || !target.closest(LINK) || !matchMedia(NARROW).matches) return;
    /** @type {HTMLElement | null} */ (document.querySelector(CLOSE))?.click();
  };
  document.addEventListener("click", close);
  return () => document.removeEventListener("click", close);
}
