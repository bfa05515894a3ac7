// Who is drawn anew when something changes, at most once a frame.

/** { subscribe(draw) → how to end that, changed() }. */
export function redrawing() {
  const listeners = new Set();
  let scheduled = false;
  return {
    subscribe(draw) {
      listeners.add(draw);
      return () => listeners.delete(draw);
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
