// Rules compared: as a network, with an edge where two fire for the same rows, redundant where they conclude the same, a conflict where
// they do not, and neither where one of them has no clear conclusion; and by the classes that their firing falls on.

/** @import { Figure, Properties, RuleText } from "../../core/types.js" */
/** @import { Scene } from "../../model/types.js" */

import { BLUE, ORANGE, SKY, inks, ruleColour } from "../../core/colours.js";
import { fontSize, layout, smallSize } from "../../core/layout.js";
import { joined, percent, plotlyNames, plotlyText } from "../../core/text.js";
import { firingOf } from "../../model/inference.js";

const TALL = 440;
const NAMED = 6; // edges that the name of the figure names
const WORK = 3e7; // memberships that are computed at most: of very large models, of fewer rows
const TEXTS = 12; // classes up to which each cell says its share

/**
 * @typedef {"redundant" | "conflict" | "unclear"} Kind
 * Two rules, by index, and their co-firing in [0, 1].
 * @typedef {{ a: number, b: number, level: number, kind: Kind }} Edge
 */

/**
 * How many rows apart those are that co-firing is taken over.
 * @param {Scene} scene
 */
export const rowStep = ({ model: { R, D }, table: { rows } }) => Math.max(1, Math.ceil((R * D * (rows?.x.length ?? 0)) / WORK));

/**
 * The co-firing of each pair of rules over some rows: Σ min(f̄_a, f̄_b) / Σ max(f̄_a, f̄_b); the largest first.
 * @param {Scene} scene
 * @param {RuleText[]} rules
 * @returns {Edge[]}
 */
export function coFiring(scene, rules) {
  const { model, table: { rows } } = scene, step = rowStep(scene), edges = [];
  const levels = (rows?.x ?? []).filter((_, n) => n % step === 0).map((x) => firingOf(model, x));
  for (let i = 0; i < rules.length; i++) {
    for (let j = 0; j < i; j++) {
      const a = rules[j].rule - 1, b = rules[i].rule - 1;
      let least = 0, most = 0;
      for (const f of levels) {
        least += Math.min(f[a], f[b]);
        most += Math.max(f[a], f[b]);
      }
      edges.push({ a, b, level: most > 0 ? least / most : 0, kind: kindOf(rules[i], rules[j]) });
    }
  }
  return edges.sort((one, other) => other.level - one.level);
}

/** @param {RuleText} one @param {RuleText} other @returns {Kind} */
function kindOf(one, other) {
  if ([one, other].some(({ then, mostly }) => then === "no clear class" || mostly?.length)) return "unclear";
  return one.then === other.then ? "redundant" : "conflict";
}

/**
 * The rules on a circle, those of a class side by side, as large as their average firing level.
 * @param {RuleText[]} rules
 * @param {Edge[]} edges those to draw
 * @param {boolean} dark
 * @returns {Figure}
 */
export function networkFigure(rules, edges, dark) {
  const order = rules.map((_, k) => k).sort((i, j) => rules[i].then.localeCompare(rules[j].then) || rules[i].rule - rules[j].rule);
  const at = new Map(order.map((k, place) => [rules[k].rule - 1, (2 * Math.PI * place) / rules.length]));
  /** @param {number} r */
  const point = (r) => [Math.sin(Number(at.get(r))), Math.cos(Number(at.get(r)))];
  const most = Math.max(...rules.map(({ support }) => support), 1e-9), { ink, paper } = inks(dark);
  const nodes = {
    x: rules.map(({ rule }) => point(rule - 1)[0]), y: rules.map(({ rule }) => point(rule - 1)[1]), mode: "markers+text", showlegend: false,
    text: rules.map(({ rule }) => String(rule)), textfont: { size: smallSize(), color: ink }, hovertext: rules.map(hoverText), hovertemplate: "%{hovertext}<extra></extra>",
    marker: {
      size: rules.map(({ support }) => fontSize() * (1.6 + 1.6 * Math.sqrt(support / most))), color: paper, opacity: 1,
      line: { width: 3, color: rules.map(({ rule }) => ruleColour(rule - 1, dark)) },
    },
  };
  const traces = [
    lines(of(edges, "redundant"), point, "same conclusion: redundant", dark ? SKY : BLUE, "solid"),
    lines(of(edges, "conflict"), point, "different conclusions: conflict", ORANGE, "dash"),
    lines(of(edges, "unclear"), point, "without a clear conclusion", inks(dark).grey, "dot"),
  ].flat();
  const axis = { visible: false, range: [-1.35, 1.35] };
  const more = { height: TALL, hovermode: "closest", xaxis: axis, yaxis: { ...axis, scaleanchor: "x" } };
  return { data: [...traces, ...classNames(rules, order, at, ink), nodes], layout: layout(dark, "", "", more), name: nameOf(edges) };
}

/** @param {Edge[]} edges @param {Kind} kind */
const of = (edges, kind) => edges.filter((edge) => edge.kind === kind);

/** @param {RuleText} rule */
const hoverText = ({ rule, then, support }) => `rule ${rule}: ${plotlyText(then)}, average firing level ${percent(support)}`;

/**
 * Edges as three traces, thicker where rules fire more alike.
 * @param {Edge[]} edges
 * @param {(r: number) => number[]} point
 * @param {string} name
 * @param {string} color
 * @param {string} dash
 * @returns {Properties[]}
 */
function lines(edges, point, name, color, dash) {
  const groups = [[0, 0.3, 1], [0.3, 0.6, 2.5], [0.6, 1.01, 5]].map(([from, to, width]) => {
    return { width, own: edges.filter(({ level }) => level >= from && level < to) };
  });
  return groups.filter(({ own }) => own.length).map(({ width, own }, k) => ({
    x: own.flatMap(({ a, b }) => [point(a)[0], point(b)[0], null]), y: own.flatMap(({ a, b }) => [point(a)[1], point(b)[1], null]),
    mode: "lines", line: { color, dash, width }, name, legendgroup: name, showlegend: k === 0, hoverinfo: "skip",
  }));
}

/**
 * The name of each class outside the circle, in the middle of its rules.
 * @param {RuleText[]} rules
 * @param {number[]} order
 * @param {Map<number, number>} at angle of each rule
 * @param {string} color
 */
function classNames(rules, order, at, color) {
  const names = [...new Set(order.map((k) => rules[k].then))];
  const angles = names.map((name) => {
    const own = order.filter((k) => rules[k].then === name).map((k) => Number(at.get(rules[k].rule - 1)));
    return (own[0] + own[own.length - 1]) / 2;
  });
  return [{
    x: angles.map((angle) => 1.2 * Math.sin(angle)), y: angles.map((angle) => 1.2 * Math.cos(angle)), mode: "text", showlegend: false,
    textposition: angles.map((angle) => `middle ${Math.abs(Math.sin(angle)) < 0.3 ? "center" : Math.sin(angle) > 0 ? "right" : "left"}`),
    text: plotlyNames(names, 18), textfont: { color }, hoverinfo: "skip",
  }];
}

/** @param {Edge[]} edges */
function nameOf(edges) {
  /** @param {Edge[]} some */
  const pairs = (some) => joined(some.map(({ a, b, level }) => `${a + 1} and ${b + 1} (${level.toFixed(2)})`), NAMED) || "none";
  return `Rules that fire for the same rows. Redundant: ${pairs(of(edges, "redundant"))}. In conflict: ${pairs(of(edges, "conflict"))}.`;
}

/**
 * Rule × class: which share of each rule's firing falls on training rows of each class.
 * @param {RuleText[]} rules
 * @param {string[]} classes
 * @param {boolean} dark
 * @returns {Figure}
 */
export function confidenceFigure(rules, classes, dark) {
  const z = rules.map(({ confidence }) => confidence ?? classes.map(() => null)), places = classes.map((_, c) => c);
  const texts = z.map((row) => row.map((share) => (share === null ? "–" : percent(share, 0))));
  const map = {
    type: "heatmap", x: places, y: rules.map((_, k) => k), z, zmin: 0, zmax: 1, colorscale: "Cividis", text: texts, xgap: 2, ygap: 2,
    ...(classes.length <= TEXTS ? { texttemplate: "%{text}", textfont: { size: smallSize() } } : {}),
    customdata: rules.map(({ rule, then }) => classes.map((name) => `rule ${rule} (THEN ${plotlyText(then)}), ${plotlyText(name)}`)),
    hovertemplate: "%{customdata}: %{text}<extra></extra>", colorbar: { title: { text: "confidence", side: "right" }, thickness: 12, outlinewidth: 0, tickformat: ".0%" },
  };
  const xaxis = { tickvals: places, ticktext: plotlyNames(classes, 18), showgrid: false, side: "top" };
  const yaxis = { tickvals: rules.map((_, k) => k), ticktext: rules.map(({ rule }) => `rule ${rule}`), autorange: "reversed", showgrid: false };
  const height = 90 + Math.max(80, rules.length * 1.7 * fontSize());
  return {
    data: [map], layout: layout(dark, "", "", { height, hovermode: "closest", xaxis, yaxis, margin: { l: 8, r: 8, t: 60, b: 8 } }),
    name: `Confidence of ${rules.length} rules in ${classes.length} classes: the share of a rule's firing on training rows of the class.`,
  };
}
