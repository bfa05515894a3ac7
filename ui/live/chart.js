// One chart. Streamlit calls this function again on the same element whenever the data changes.

function plotly() {
  if (!window.tskPlotly) {
    window.tskPlotly = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = "./app/static/plotly.min.js";
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => reject(new Error("plotly.min.js is missing"));
      document.head.appendChild(script);
    });
  }
  return window.tskPlotly;
}

export default function ({ data, parentElement }) {
  let node = parentElement.querySelector(".tsk-chart");
  if (!node) {
    node = document.createElement("div");
    node.className = "tsk-chart";
    node.setAttribute("role", "img");
    parentElement.appendChild(node);
  }
  node.style.height = `${data.height}px`;
  node.setAttribute("aria-label", data.name);
  const figure = JSON.parse(data.figure);
  const draw = () =>
    plotly().then((library) => {
      if (node.clientWidth > 0) {
        library.react(node, figure.data, figure.layout, { displayModeBar: false, responsive: false });
      }
    });
  // A chart in a hidden tab has no width; it is drawn when it gets one.
  const observer = new ResizeObserver(draw);
  observer.observe(node);
  draw();
  return () => observer.disconnect();
}
