// Plotly's own library, loaded once from where this page's server keeps it; never from the internet.

const PLAIN = { displayModeBar: false, responsive: false };
let loading = null;

/**
 * Draw a figure in place at its node's width, which Plotly asks for only once itself. Returns a promise of the node; of nothing where
 * the library is missing, as `caption` then says.
 */
export function drawIn(node, { data, layout, name }, caption) {
  node.setAttribute("aria-label", name);
  const failed = () => { caption.textContent = "The library that draws charts could not be loaded; reload this page."; };
  return plotly().then((library) => library.react(node, data, { ...layout, width: node.clientWidth || undefined }, PLAIN), failed);
}

/** A promise of the library. A page that already has it (an exported report) brings it along. */
export function plotly() {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("../plotly.min.js", import.meta.url);
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error("plotly.min.js is missing"));
    document.head.appendChild(script);
  });
  return loading;
}
