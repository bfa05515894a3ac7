// What anywidget gets as the widget: makes the client's module from its text, which the model has as "client" (see __init__.py). Each
// widget has one of its own, since it holds its state; Plotly is loaded once a page. This has to be small: anywidget gives a widget up,
// and drops its messages, if it is not there after 2 seconds.

const addressOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

/** Plotly, which is no module, in the scope of one: it leaves no name on the page. */
function plotly(text) {
  const key = Symbol.for(`Plotly of TSK Explorer, ${text.length}`);
  globalThis[key] ??= import(addressOf(`const module = { exports: {} }, exports = module.exports;\n${text}\nexport default module.exports;`));
  return globalThis[key].then((module) => module.default);
}

async function loaded(model) {
  const { code, plotly: library, ...file } = JSON.parse(model.get("client"));
  const { widget } = await import(addressOf(code));
  return widget({ ...file, library: plotly(library) });
}

export default () => {
  let widget = null;
  return {
    initialize({ model }) {
      widget = loaded(model);
      widget.then(({ initialize }) => initialize({ model }), () => {}); // `render` shows why it failed
    },
    render: async (given) => (await widget).render(given),
  };
};
