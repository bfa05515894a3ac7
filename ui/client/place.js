// A place on the page for some views, side by side where there is room. Mounted again on the same element it goes on as it was.

import { element } from "./elements.js";
import { receive, state, subscribe } from "./store.js";
import { views } from "./views.js";

/** Show the views named in `options.views` in `parent`; the rest of `options` is theirs. Returns how to end it. */
export function mount(parent, options) {
  const grid = element(parent, "div", "tsk-grid");
  const drawn = options.views.map((name) => {
    const cell = element(grid, "div", `tsk-view-${name}`);
    return views[name](cell, options);
  });
  const draw = () => {
    const now = state();
    now.dark = isDark(grid, now.dark);
    for (const view of drawn) view.draw(now);
  };
  grid.ontransitionend = (event) => { if (event.target === grid) draw(); }; // its ink changed: see client.css
  const widths = () => drawn.map((view) => view.node?.clientWidth).join();
  let drawnAt = widths();
  const observer = new ResizeObserver(() => { // not for a new height, which is the figure's own doing
    if (widths() === drawnAt) return;
    drawnAt = widths();
    draw();
  });
  for (const view of drawn) if (view.node) observer.observe(view.node);
  const leaves = [subscribe, ...drawn.map((view) => view.watch).filter(Boolean)].map((watch) => watch(draw));
  draw();
  return () => { observer.disconnect(); for (const leave of leaves) leave(); grid.ontransitionend = null; };
}

/** Whether the page is dark, as it says itself; `told` where it does not. A visitor can change it without the server's knowing. */
function isDark(grid, told) {
  const scheme = getComputedStyle(grid).colorScheme;
  return ["dark", "light"].includes(scheme) ? scheme === "dark" : told;
}

export { listen } from "./keys.js";
export { receive };
