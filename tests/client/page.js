// What modules ask of a page that draw nothing on it: the size of its letters, and frames. Imported first by each test.

globalThis.document ??= /** @type {any} */ ({ documentElement: { dataset: {} } });
globalThis.getComputedStyle ??= /** @type {any} */ (() => ({ fontSize: "16px", getPropertyValue: () => "" }));
globalThis.requestAnimationFrame ??= (draw) => Number(setTimeout(draw));
