// On a phone the sidebar is a drawer, which Streamlit leaves open over the page: it closes when a page or data were chosen in it, and when
// Train was pressed. It imports nothing, so that it stands in the component itself and works on every page.

const CHOICE = "[data-testid=stSidebarNavLink], [data-testid=stSidebar] :is(.st-key-train, .st-key-small_ways_in) button";
const OPEN_LIST = "[data-testid=stSidebar] .st-key-data-list input[aria-expanded=true]", OPTION = "[role=option]";
const CLOSE = "[data-testid=stSidebarCollapseButton] button";
const NARROW = "(max-width: 768px)"; // up to which Streamlit lays the drawer over the page

/** Close the drawer after each choice, until the returned function is called; as Streamlit calls a component. */
export default function () {
  /** @param {MouseEvent} event */
  const close = ({ target }) => {
    if (!(target instanceof Element) || !matchMedia(NARROW).matches) return;
    const chosen = target.closest(CHOICE) || (target.closest(OPTION) && document.querySelector(OPEN_LIST));
    if (chosen) setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(CLOSE))?.click(), 0); // once it is taken
  };
  document.addEventListener("click", close, true); // before the list of data closes
  return () => document.removeEventListener("click", close, true);
}
