// The plane: what the model would decide at each place, the rows, and each rule's centre and reach on it.

import { classColour, classParts, inks, layout, lettering, percent, plain, ruleColour, HEIGHT } from "./colours.js";
import { columnName, shortName } from "./columns.js";
import { choice, element } from "./elements.js";
import { frameOf, truth } from "./frame.js";
import { surface } from "./model.js";
import { drawIn } from "./plotly.js";
import { decidedOf, pick, scene, turn, watch } from "./sample.js";

const CELLS = 80; // of the surface, along each axis
const TALL = HEIGHT + 100;
const AROUND = 90; // pixels of the picture's width and height that are not the plane, about
const DRAWN = 50; // rules, the most active ones; more would be a tangle
const LEGEND = 12; // classes up to which a legend names them

/** A view: the plane, with the choice of its axes. options: { data, rows } of ui/samples.py. */
export function plane(parent, options) {
  const bar = element(parent, "div", "tsk-axes", { role: "group", "aria-label": "Axes of the plane" });
  const node = element(parent, "div", "tsk-chart", { role: "img" }), caption = element(parent, "p", "tsk-caption");
  node.style.minHeight = `${TALL}px`; // so that nothing jumps before the first drawing
  return {
    node,
    watch,
    draw(now) {
      const at = scene(now, options);
      bar.hidden = node.hidden = !at;
      if (!at) {
        caption.textContent = waiting(now);
        return;
      }
      const frame = frameOf(at, CELLS);
      caption.textContent = sentence(at, frame);
      steer(bar, at);
      if (node.clientWidth === 0) return; // in a hidden tab
      drawIn(node, figure(at, frame, node.clientWidth), caption).then((drawn) => {
        drawn?.removeAllListeners("plotly_click");
        drawn?.on("plotly_click", ({ points: [{ data: of, pointIndex }] }) => { if (of.rows) pick(at, of.rows[pointIndex]); });
      });
    },
  };
}

function waiting({ shown }) {
  if (!shown.about.ended) return "The plane is drawn as soon as the first rules are there.";
  return "This run kept no rules that could be drawn: it left no model, or one too large for a browser.";
}

/** The selects of the plane and its axes. */
function steer(bar, at) {
  const { columns, view } = at.table, numbers = columns.map((column, d) => [d, shortName(column)]);
  const planes = [["features", "two features"], ["components", "two principal components"]];
  const which = choice(bar, "tsk-plane", "Plane", planes, at.plane, (value) => turn({ plane: value }));
  which.parentElement.hidden = !view || columns.length < 3;
  for (const [side, label, className] of [["across", "Across", "tsk-across"], ["up", "Up", "tsk-up"]]) {
    const node = choice(bar, className, label, numbers, at[side], (value) => {
      const other = side === "across" ? "up" : "across"; // the axes change places where they would be the same
      turn({ across: at.across, up: at.up, [side]: Number(value), ...(at[other] === Number(value) ? { [other]: at[side] } : {}) });
    });
    node.parentElement.hidden = at.plane === "components" || columns.length < 2;
  }
}

function figure(at, frame, width) {
  const order = busiest(at), ink = inks(at.dark);
  const rows = at.table.rows, decided = decidedOf(at), wrong = decided.filter((c, n) => c !== rows.y[n]).length;
  const [x, y] = [frame.x, frame.y].map((side) => axis(side, at));
  if (frame.single) y.visible = false;
  const data = [...legend(at), ...points(at, frame, decided, ink), numbers(at, frame, order, ink, width), ...looked(at, frame, ink)];
  const name = `Plane of ${described(at)}: what the model decides at each place, ${rows ? `${rows.row.length} rows, ${wrong} of them decided wrong, ` : ""}and ${order.length} rules.`;
  const more = {
    height: TALL, hovermode: "closest", xaxis: x, yaxis: y, images: [picture(at, frame)], shapes: outlines(at, frame, order),
    uirevision: `${at.plane} ${at.across} ${at.up}`, legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, itemclick: false, itemdoubleclick: false },
  };
  return { data, layout: layout(at.dark, plain(frame.x.title), plain(frame.y.title), more), name };
}

function axis({ range, column }, at) {
  const ticks = column && column.kind !== "number" ? { tickvals: [0, 1], ticktext: ["no", "yes"] } : {};
  return { range, showgrid: false, zeroline: false, ...ticks, ...(at.plane === "components" ? {} : { fixedrange: false }) };
}

const described = ({ plane: kind, table: { columns }, across, up }) => {
  if (kind === "components") return "two principal components";
  return across === up ? columnName(columns[across]) : `${columnName(columns[across])} and ${columnName(columns[up])}`;
};

/** The rules to draw, by index: the most active ones. */
function busiest({ model, firing }) {
  const rules = Array.from({ length: model.R }, (_, r) => r);
  return firing?.length === model.R ? rules.sort((a, b) => firing[b] - firing[a]).slice(0, DRAWN) : rules.slice(0, DRAWN);
}

/** How visible a rule is: the more it fires, the bolder. */
function boldness({ model, firing }, r) {
  if (firing?.length !== model.R) return 0.8;
  return 0.15 + 0.85 * Math.min(1, firing[r] / Math.max(...firing));
}

/** The surface as a picture under the points: the colour of the class decided, fainter where the model is less sure. */
function picture(at, frame) {
  const { decided, sure } = surface(at.model, frame, frame.us, frame.vs);
  const canvas = document.createElement("canvas"), [width, height] = [frame.us.length, frame.vs.length];
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d"), cells = context.createImageData(width, height);
  const colours = at.table.classes.map((_, c) => classParts(c, at.dark));
  const even = 1 / colours.length;
  decided.forEach((c, k) => {
    const [column, row] = [k % width, height - 1 - Math.floor(k / width)]; // pictures begin at their top
    cells.data.set([...colours[c], 255 * (0.08 + 0.42 * ((sure[k] - even) / (1 - even)))], 4 * (row * width + column));
  });
  context.putImageData(cells, 0, 0);
  const [x, y] = [frame.x.range, frame.y.range];
  return {
    source: canvas.toDataURL(), xref: "x", yref: "y", x: x[0], y: y[1], sizex: x[1] - x[0], sizey: y[1] - y[0], sizing: "stretch", layer: "below",
  };
}

/** Training rows hollow, test rows filled, with a rim that parts them from a ground of their own colour; a cross on those decided wrong. */
function points(at, frame, decided, { ink }) {
  const { rows, classes } = at.table;
  if (!rows) return [];
  const placed = rows.x.map((row, n) => frame.place(row, n));
  const trace = (indices, marker) => ({
    x: indices.map((n) => placed[n][0]), y: indices.map((n) => placed[n][1]), mode: "markers", rows: indices, marker, showlegend: false,
    text: indices.map((n) => `row ${rows.row[n] + 1} (${rows.part[n] ? "test" : "training"}): ${plain(classes[rows.y[n]])}, decided ${plain(classes[decided[n]])}`),
    hovertemplate: "%{text}<extra></extra>",
  });
  const all = rows.row.map((_, n) => n), of = (part) => all.filter((n) => rows.part[n] === part), [size, rim] = all.length > 400 ? [6, 0.5] : [8, 1];
  const colours = (indices) => indices.map((n) => classColour(rows.y[n], at.dark));
  const [train, test, wrong] = [of(0), of(1), all.filter((n) => decided[n] !== rows.y[n])];
  return [
    trace(train, { size: size + 2.5, symbol: "circle-open", color: ink, opacity: 0.7, line: { width: rim } }),
    trace(train, { size, symbol: "circle-open", color: colours(train), line: { width: 1.5 } }),
    trace(test, { size, color: colours(test), line: { width: rim, color: ink } }),
    trace(wrong, { size: size + 3, symbol: "x-thin", line: { width: 1.5, color: ink } }),
  ];
}

/** Entries of the legend: the classes, and what crosses mean. */
function legend({ table: { classes, rows }, dark }) {
  if (classes.length > LEGEND) return [];
  const entry = (name, marker) => ({ x: [null], y: [null], mode: "markers", name, marker, hoverinfo: "skip" });
  const entries = classes.map((name, c) => entry(plain(name, 22), { symbol: "square", size: 10, color: classColour(c, dark) }));
  return rows ? [...entries, entry("decided wrong", { symbol: "x-thin", size: 9, line: { width: 1.5, color: inks(dark).ink } })] : entries;
}

/** Each rule's number at its centre, the bolder above; of numbers that would lie on each other only the boldest one's. */
function numbers(at, frame, order, { paper, ink }, width) {
  const size = 1.45 * lettering(), there = order.map((r) => [r, frame.center(r)]).filter(([, place]) => place);
  const named = apart(there.map(([, place]) => place), frame, width, size);
  there.reverse();
  named.reverse();
  const rules = there.map(([r]) => r);
  return {
    x: there.map(([, place]) => place[0]), y: there.map(([, place]) => place[1]), mode: "markers+text", text: rules.map((r, k) => (named[k] ? `${r + 1}` : "")),
    textfont: { size: 0.8 * lettering(), color: ink }, showlegend: false, cliponaxis: false,
    marker: {
      size: named.map((is) => (is ? size : 0.5 * size)), color: paper, opacity: rules.map((r) => boldness(at, r)),
      line: { width: 3, color: rules.map((r) => ruleColour(r, at.dark)) },
    },
    hovertext: rules.map((r) => `rule ${r + 1}${at.firing?.length === at.model.R ? `: ${percent(at.firing[r])} of the firing` : ""}`), hovertemplate: "%{hovertext}<extra></extra>",
  };
}

/** Whether each of these places has its number: if no number before it is nearer than so many pixels. */
function apart(places, { x, y }, width, pixels) {
  const scale = [[width, x], [TALL, y]].map(([all, { range }]) => (all - AROUND) / (range[1] - range[0])), kept = [];
  return places.map((place) => {
    const free = kept.every((other) => Math.hypot(...scale.map((s, k) => s * (place[k] - other[k]))) >= pixels);
    if (free) kept.push(place);
    return free;
  });
}

function outlines(at, frame, order) {
  return order.map((r) => [r, frame.outline(r)]).filter(([, outline]) => outline).map(([r, { polygon, band, from, to }]) => {
    const look = { opacity: boldness(at, r), line: { color: ruleColour(r, at.dark), width: 2 } };
    if (polygon) return { type: "path", path: `M${polygon.map(([x, y]) => `${x},${y}`).join("L")}Z`, ...look };
    const [start, end] = [{ [`${band}0`]: from }, { [`${band}1`]: to }];
    const other = band === "x" ? { yref: "paper", y0: 0, y1: 1 } : { xref: "paper", x0: 0, x1: 1 };
    return { type: "rect", ...start, ...end, ...other, ...look, line: { ...look.line, dash: "dot" } };
  });
}

/** A ring on the row chosen, and a diamond where it moved to. */
function looked(at, frame, { ink, paper }) {
  const [from, to] = [frame.place(at.start, at.index ?? 0), frame.place(at.x, at.index ?? 0)], moved = at.x !== at.start;
  const path = { x: [from[0], to[0]], y: [from[1], to[1]], mode: "lines", line: { color: ink, dash: "dot", width: 2 }, hoverinfo: "skip", showlegend: false, visible: moved };
  const trace = (place, visible, marker, text) => ({ x: [place[0]], y: [place[1]], mode: "markers", marker, visible, showlegend: false, text: [text], hovertemplate: "%{text}<extra></extra>" });
  return [
    path,
    trace(from, at.index !== null, { symbol: "circle-open", size: 17, color: ink, line: { width: 3 } }, at.index === null ? "" : `row ${at.table.rows.row[at.index] + 1}, the one chosen`),
    trace(to, moved || at.index === null, { symbol: "diamond", size: 13, color: ink, line: { width: 2, color: paper } }, at.index === null ? "a typical row" : "the row as changed"),
  ];
}

/** What one sees, for a student. */
function sentence(at, frame) {
  const { table, model } = at, held = at.index === null ? "at typical values" : `as in row ${table.rows.row[at.index] + 1}${at.x === at.start ? "" : " with your changes"}`;
  const colour = "The colour is the class that the model decides at each place, fainter where it is less sure";
  const rules = `each number is a rule, with a line around what it reaches (1 σ), the bolder the more it fires${model.R > DRAWN ? `; the ${DRAWN} most active of ${model.R} are drawn` : ""}`;
  const rows = table.rows ? "; dots are rows: hollow for training, filled for test, crossed where decided wrong. Click one to see its reasons." : ".";
  const one = at.across === at.up && at.plane === "features" ? " With one feature there is nothing to say upwards: rows are spread there so that they can be told apart." : "";
  const lies = at.plane === "components" ? "Rows lie before and behind this plane through the data's centre" : `All other features are held ${held}`;
  const differ = table.rows ? `; here it does for ${percent(1 - truth(at, frame, decidedOf(at)), 0)} of the rows` : "";
  const off = table.columns.length < 3 ? "" : ` ${lies}, so what the model decides for a row can differ from the colour under it${differ}.`;
  return `${colour}; ${rules}${rows}${one}${off}`;
}
