// The place of one chart. What it draws comes from the feed, so that nothing is mounted anew while a run trains.

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

function element(parent, className, role) {
  let node = parent.querySelector(`.${className}`);
  if (!node) {
    node = document.createElement("div");
    node.className = className;
    if (role) node.setAttribute("role", role);
    parent.appendChild(node);
  }
  return node;
}

export default function ({ data, parentElement }) {
  const node = element(parentElement, "tsk-chart", "img");
  const caption = element(parentElement, "tsk-caption");
  node.style.height = `${data.height}px`;
  const draw = () => {
    const latest = window.tskFigures?.[data.chart];
    if (!latest) return;
    node.setAttribute("aria-label", latest.name);
    caption.textContent = latest.caption;
    plotly().then((library) => {
      if (node.clientWidth === 0) return; // a chart in a hidden tab has no width; it is drawn when it gets one
      const figure = JSON.parse(latest.figure);
      library.react(node, figure.data, figure.layout, { displayModeBar: false, responsive: false });
    });
  };
  const observer = new ResizeObserver(draw);
  observer.observe(node);
  window.addEventListener("tsk-figures", draw);
  draw();
  return () => {
    observer.disconnect();
    window.removeEventListener("tsk-figures", draw);
  };
}
