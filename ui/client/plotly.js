// Plotly's own library, loaded once from where this page's server keeps it; never from the internet.

let loading = null;

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
