// Figures of the firing levels: bars at one epoch, and the same through time.

import { HEIGHT, ORANGE, green, layout, lettering, listed, outline, percent, ruleColour, straight, together } from "./colours.js";

const DEAD = 0.1; // of an even share, below which a rule counts as never firing
const COLUMNS = 300; // of the heat map; more epochs are thinned out
const SMALL = 0.8; // of the usual letters: numbers of the heat map's rows
const WIDTH = 1000; // pixels, of a figure that is not on a page
const BRIGHTEST = 6; // even shares; the heat map shows no more than these

/** Mean firing level of each rule, with the line 1/R that UR pulls towards; rules that never fire are crossed and named. */
export function firing(now) {
  const { epoch, ghost } = now, old = before(ghost.epochs.at(-1), now);
  if (!epoch) return { data: [{ type: "bar", x: [], y: [], showlegend: false }, ...old], layout: axes(now, 0), name: "Average firing level of each rule; no epoch yet." };
  const R = epoch.firing.length, order = ordered(now);
  const places = order.map((_, k) => k + 1), levels = order.map((r) => epoch.firing[r]);
  const dead = order.map((r) => r + 1).filter((_, k) => levels[k] < DEAD / R);
  const bars = {
    type: "bar", x: places, y: levels, showlegend: false, customdata: order.map((r) => r + 1),
    marker: { color: order.map((r) => ruleColour(r, now.dark)) }, hovertemplate: "rule %{customdata}: %{y:.4f}<extra></extra>",
  };
  const idle = places.filter((_, k) => levels[k] < DEAD / R);
  const crosses = {
    x: idle, y: idle.map(() => 0), mode: "markers", name: "never fires", cliponaxis: false, hoverinfo: "skip",
    marker: { symbol: "x", size: 9, color: ORANGE }, showlegend: idle.length > 0,
  };
  return { data: [bars, ...old, crosses], layout: axes(now, R, order), name: words(epoch, R, dead), caption: words(epoch, R, dead) };
}

/** Rules × epochs: how each rule's share of the firing grew or shrank, in multiples of an even share. */
export function heat(now) {
  const { shown, epoch, ghost, dark } = now;
  if (!epoch && ghost.epochs.length) { // rather the run before, for a moment, than a blank picture
    const old = heat({ ...now, shown: ghost, epoch: ghost.epochs.at(-1), newest: true, future: true });
    return { ...old, data: [{ ...old.data[0], opacity: 0.3 }], name: `The run before, faint: ${old.name}` };
  }
  if (!epoch) return { data: [], layout: layout(dark, "Epoch", "Rule"), name: "Firing level of each rule by epoch; no epoch yet." };
  const visible = now.future ? shown.epochs : shown.epochs.slice(0, now.index + 1);
  const epochs = thinned(visible, COLUMNS), R = epoch.firing.length, order = ordered(now).reverse();
  const z = order.map((r) => epochs.map((e) => e.firing[r] * R));
  const most = z.flat().reduce((high, value) => Math.max(high, value), 2); // not spread: it can be 60,000 numbers
  const map = {
    type: "heatmap", x: epochs.map((e) => e.epoch), y: order.map((r) => `${r + 1}`), z, zmin: 0, zmax: Math.min(most, BRIGHTEST), colorscale: "Cividis",
    colorbar: { title: { text: "× 1/R", side: "right" }, thickness: 12, outlinewidth: 0 },
    hovertemplate: "rule %{y}, epoch %{x}: %{z:.2f} times an even share<extra></extra>",
  };
  const cursor = now.newest ? [] : [straight({ x: epoch.epoch }, "#FFFFFF", { dash: "dot" })];
  const rows = { type: "category", showgrid: false, ...(R > 30 ? { showticklabels: false } : { dtick: every(R, SMALL, HEIGHT - 110), tickfont: { size: SMALL * lettering() } }) };
  const busiest = epoch.firing.indexOf(Math.max(...epoch.firing));
  const name = `Firing level of each of ${R} rules by epoch; in epoch ${epoch.epoch} rule ${busiest + 1} fires most, ${percent(epoch.firing[busiest])}.`;
  const caption = "Each row is a rule. Bright: it fires more than its even share. Without UR, busy rules tend to get busier and idle ones fade.";
  return { data: [map], layout: layout(dark, "Epoch", "Rule", { hovermode: "closest", yaxis: rows, xaxis: { showgrid: false }, ...together(...cursor) }), name, caption };
}

/** Of how many rules one can be named where each name takes so many letters' heights of all pixels. */
const every = (R, letters, pixels) => Math.max(1, Math.ceil((R * letters * lettering()) / pixels));

/** Rules by index, from 0: the most active first, or by number. */
function ordered({ epoch, order }) {
  const rules = epoch.firing.map((_, r) => r);
  return order === "number" ? rules : rules.sort((a, b) => epoch.firing[b] - epoch.firing[a] || a - b);
}

function axes(now, R, order = []) {
  const title = now.order === "number" ? "Rule" : "Rule, most active first";
  const step = every(R, 1.4, (now.width ?? WIDTH) - 70), ticks = order.map((_, k) => k).filter((k) => k % step === 0);
  const names = R && R <= 30 ? { tickvals: ticks.map((k) => k + 1), ticktext: ticks.map((k) => `${order[k] + 1}`), tickangle: 0 } : { showticklabels: false };
  const even = R ? [straight({ y: 1 / R }, green(now.dark), { text: "1/R: all alike" })] : [];
  const widest = Math.max(1, R, now.ghost.epochs.at(-1)?.firing.length ?? 0);
  const more = { xaxis: { ...names, showgrid: false, range: [0.4, widest + 0.6] }, yaxis: { rangemode: "tozero" }, ...together(...even) };
  return layout(now.dark, title, "Average firing level f̄", more);
}

/** The run before. Its rules have nothing to do with those of now, so where the most active are first, its own are. */
function before(epoch, now) {
  const byNumber = now.order === "number", name = byNumber ? "before" : "before, by rank";
  const levels = [...(epoch?.firing ?? [])];
  if (!byNumber) levels.sort((a, b) => b - a);
  return outline(levels, 0.5, levels.length + 0.5, now.dark, { name, hover: `${name}: %{customdata:.4f}` });
}

function words(epoch, R, dead) {
  const idle = dead.length ? `${dead.length > 1 ? "rules" : "rule"} ${listed([...dead].sort((a, b) => a - b))} never ${dead.length > 1 ? "fire" : "fires"}` : "every rule fires";
  const busiest = percent(Math.max(...epoch.firing));
  return `Epoch ${epoch.epoch}, ${R} ${R > 1 ? "rules" : "rule"}: ${idle}. The busiest carries ${busiest} of the firing; shared evenly, each would carry ${percent(1 / R)}. A rule counts as never firing below a tenth of that.`;
}

function thinned(values, most) {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, k) => values[Math.round((k * (values.length - 1)) / (most - 1))]);
}
