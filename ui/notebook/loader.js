// The end of the widget's file, whose beginning is FILE (see __init__.py): makes the client's module from its text. Each widget has one
// of its own, since it holds its state; Plotly is loaded once a page.

const addressOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

/** Plotly, which is no module, in the scope of one: it leaves no name on the page. */
function plotly() {
  const key = Symbol.for(`Plotly of TSK Explorer, ${FILE.plotly.length}`);
  globalThis[key] ??= import(addressOf(`const module = { exports: {} }, exports = module.exports;\n${FILE.plotly}\nexport default module.exports;`));
  return globalThis[key].then((module) => module.default);
}

async function client() {
  const { widget } = await import(addressOf(FILE.client));
  return widget({ charts: FILE.charts, tabs: FILE.tabs, style: FILE.style, library: plotly() });
}

/** The widget, as anywidget takes it; it gives up on one that is not there after 2 seconds, and a slow machine needs longer. */
export default () => {
  const ready = client();
  return {
    initialize: (given) => { ready.then(({ initialize }) => initialize(given), () => {}); }, // `render` shows why it failed
    render: async (given) => (await ready).render(given),
  };
};
