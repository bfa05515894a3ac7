// The entry of the client: mounts views on an element of the page and draws them when the state changes.

/** @import { MountOptions } from "./core/types.js" */

import { element } from "./core/elements.js";
import { subscribe } from "./core/feed.js";
import { state } from "./core/store.js";
import { keepPressedTab } from "./pressed_tab.js";
import { views } from "./views.js";

/**
 * Show the views named in `options.views` in `parent`; charts among them have to be loaded. Mounted again on the same element, the
 * views continue as they were. Returns a function that ends the drawing.
 * @param {Element} parent
 * @param {MountOptions} given
 * @param {MountOptions["send"]} [send] tells the server something by one of the names in `given.calls`
 */
export function mount(parent, given, send) {
  const grid = element(parent, "div", "tsk-grid"), options = { ...given, send };
  const mounted = options.views.map((name) => views[name](element(grid, "div", `tsk-view-${name}`), options));
  const draw = () => {
    const now = state();
    now.dark = isDark(grid, now.dark);
    for (const view of mounted) view.draw(now);
  };
  grid.ontransitionend = (event) => { if (event.target === grid) draw(); }; // the theme changed, see client.css
  const widths = () => mounted.map((view) => view.node?.clientWidth).join();
  let drawnAt = widths();
  const observer = new ResizeObserver(() => { // not for a new height, which comes from the figure itself
    if (widths() === drawnAt) return;
    drawnAt = widths();
    draw();
  });
  for (const { node } of mounted) if (node) observer.observe(node);
  const ends = [subscribe, ...mounted.map((view) => view.watch)].map((watch) => watch?.(draw));
  draw();
  return () => {
    observer.disconnect();
    for (const end of ends) end?.();
    grid.ontransitionend = null;
  };
}

/**
 * Whether the page is dark by its own style, else what the server knows: a visitor can change the theme without the server.
 * @param {Element} grid
 * @param {boolean} server
 */
function isDark(grid, server) {
  const scheme = getComputedStyle(grid).colorScheme;
  return ["dark", "light"].includes(scheme) ? scheme === "dark" : server;
}

keepPressedTab();

export { receive, take } from "./core/feed.js";
export { onKeys } from "./keys.js";
export { load } from "./views.js";
