// Listeners that are called when something changes, at most once a frame.

/** A list of listeners: `subscribe` returns a function that ends the subscription, `changed` calls all of them. */
export function observable() {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  let scheduled = false;
  return {
    /** @param {() => void} draw */
    subscribe(draw) {
      listeners.add(draw);
      return () => { listeners.delete(draw); };
    },
    changed() {
      if (scheduled) return;
      scheduled = true;
      // A hidden page gets no frames; it need not draw either.
      requestAnimationFrame(() => {
        scheduled = false;
        for (const draw of [...listeners]) draw();
      });
    },
  };
}
