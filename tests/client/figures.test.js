// Every figure of a run, at any time of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { classParts, inks, ruleColour, variantColour } from "../../ui/client/core/colours.js";
import { HEIGHT } from "../../ui/client/core/layout.js";
import { COMPARISONS, RUNS } from "./cases.js";
import { contrast, mixed, parts, range } from "./numbers.js";
import { CHARTS, COMPARISON, PAGE, drawnTraces, figure, makeHistory, makeRun } from "./runs.js";

const LONG = COMPARISONS["a long comparison with other rules"];
const CURVES = ["loss", "accuracy", "gradients"];

function judge(name, drawn) {
  const { layout } = drawn;
  assert.ok(HEIGHT <= layout.height && layout.height <= 900);
  assert.ok(layout.xaxis.title.text && layout.yaxis.title.text);
  assert.ok(drawn.name.split(" ").length >= 3);
  const said = JSON.stringify(drawn);
  for (const word of ["NaN", "undefined", "Infinity", "null%", "[object"]) assert.ok(!said.includes(word), `${name}: ${word}`);
}

for (const [of, run] of Object.entries(RUNS)) {
  for (const [beside, comparison] of Object.entries(COMPARISONS)) {
    test(`every figure is drawn at any time: ${of}, ${beside}`, () => {
      const last = run ? run.lists.epochs.list.length - 1 : -1;
      const times = [{}, { index: 0, dark: true, future: false }, { index: Math.floor(last / 2), dark: true }];
      for (const options of times.slice(0, last > 0 ? 3 : 1)) {
        for (const name of CHARTS) judge(name, figure(name, run, comparison, options));
      }
    });
  }
}

test("500 rules over many epochs are drawn", () => {
  const run = makeRun(makeHistory(301, { firing: range(500, () => 1 / 500) }), { epochs: 400 });
  for (const name of CHARTS) judge(name, figure(name, run, COMPARISONS["a short comparison"]));
});

for (const dark of [false, true]) {
  const page = PAGE[dark], on = dark ? "on a dark page" : "on a light page";

  test(`a line of the comparison is a thin dashed one in the hue of its line, ${on}`, () => {
    for (const name of CURVES) {
      const data = drawnTraces(figure(name, RUNS.ended, LONG, { dark }));
      const before = data.filter((trace) => trace.name === COMPARISON && trace.x[0] !== null);
      const own = data.filter((trace) => trace.name !== COMPARISON && trace.line);
      assert.ok(before.length);
      for (const { line, opacity, hovertemplate } of before) {
        const [, of] = hovertemplate.match(/comparison, (.*): /);
        assert.equal(line.color, own.find((trace) => trace.name === of).line.color);
        assert.ok(line.dash === "dash" && opacity < 1 && line.width < Math.min(...own.map((trace) => trace.line.width)));
        assert.ok(contrast(mixed(parts(line.color), page, opacity), page) >= 3);
      }
    }
  });

  test(`the legend names the comparison once, in no hue of a line, ${on}`, () => {
    for (const name of [...CURVES, "firing", "entropy", "reliability"]) {
      const traces = drawnTraces(figure(name, RUNS.ended, LONG, { dark }));
      const entries = traces.filter((trace) => trace.name?.startsWith(COMPARISON) && trace.showlegend !== false);
      assert.equal(entries.length, 1, name);
      const colour = parts(entries[0].line.color);
      assert.ok(Math.max(...colour) - Math.min(...colour) < 16);
    }
  });

  test(`an outline is separated from bars of any colour, ${on}`, () => {
    for (const name of ["firing", "entropy"]) {
      const traces = drawnTraces(figure(name, RUNS.ended, LONG, { dark }));
      const [halo, ink] = traces.filter((trace) => trace.name?.startsWith(COMPARISON));
      const high = ink.y.filter((y) => y > 0.03 * Math.max(...ink.y));
      assert.ok(high.every((y) => halo.y.includes(y)));
      assert.ok(halo.y.every((y) => y === null || y > 0)); // not at the feet of the bars, which would seem to float
      assert.ok(halo.line.width >= ink.line.width + 2);
      assert.ok(contrast(parts(halo.line.color), parts(ink.line.color)) >= 7);
    }
  });

  test(`words in a figure can be read and are as large as its others, ${on}`, () => {
    for (const name of CHARTS) {
      for (const note of figure(name, RUNS.ended, LONG, { dark }).layout.annotations ?? []) {
        assert.ok(contrast(parts(note.font.color), page) >= 4.5);
        assert.ok(!("size" in note.font)); // so it takes the figure's
        assert.ok(note.yref === "paper" && note.y >= 1 && note.yanchor === "bottom"); // above all that is drawn
      }
    }
  });
}

test("the largest entropy of a comparison with other rules is said, since it lies elsewhere", () => {
  const rules = 7; // of LONG
  assert.match(figure("entropy", RUNS.ended, LONG).caption, new RegExp(`comparison has ${rules} rules: its log R is ${Math.log(rules).toFixed(2)}`));
  assert.doesNotMatch(figure("entropy", RUNS.ended, null).caption, /its log R/);
});

test("until the first epoch the comparison is drawn", () => {
  for (const name of [...CURVES, "firing", "heat", "entropy"]) {
    const drawn = figure(name, RUNS["no epoch"], LONG), traces = drawnTraces(drawn);
    assert.ok(traces.length);
    assert.ok(traces.every((trace) => trace.name?.startsWith(COMPARISON) || trace.opacity < 0.5));
    assert.match(drawn.name, /no epoch yet|comparison/);
  }
});

test("24 rules and 24 classes have as many colours, all seen on a dark page", () => {
  const names = range(24, (k) => `class ${k}`);
  for (const shades of [names.map((_, r) => parts(ruleColour(r, true))), classParts(names, true)]) {
    assert.equal(new Set(shades.map(String)).size, 24);
    assert.ok(shades.every((shade) => contrast(shade, PAGE.true) >= 3));
  }
});

for (const dark of [false, true]) {
  const apart = (one, other) => Math.hypot(...one.map((part, k) => part - other[k]));

  test(`no rule looks like a class on a ${dark ? "dark" : "light"} page`, () => {
    const classes = classParts(range(8, (k) => `class ${k}`), dark);
    for (const rule of range(8, (r) => parts(ruleColour(r, dark)))) for (const one of classes) assert.ok(apart(rule, one) > 25);
  });

  test(`classes that are called like colours have these colours on a ${dark ? "dark" : "light"} page`, () => {
    const [black, white] = classParts(["black", "white"], dark);
    for (const one of [black, white]) assert.ok(Math.max(...one) - Math.min(...one) < 10); // no hue
    assert.ok(contrast(black, white) > 5 && white[0] > black[0]);
    const names = ["black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "brown", "pink"];
    for (const [k, one] of classParts(names, dark).entries()) assert.ok(contrast(one, PAGE[dark]) >= 3, names[k]);
    const [red, ...others] = classParts(["Red", "a", "b", "c", "d", "e"], dark);
    assert.ok(red[0] > 2 * Math.max(red[1], red[2]));
    assert.ok(others.every((other) => apart(red, other) > 80));
    assert.equal(new Set(others.map(String)).size, 5);
    assert.equal(new Set(classParts(["grey", "gray", "green"], dark).map(String)).size, 3);
  });
}

const COLOURS = JSON.parse(readFileSync(new URL("../vectors/colours.json", import.meta.url), "utf-8")); // tests/pages/test_colours.py reads them too

test("classes have the colours that the server's figures give them", () => {
  for (const { names, colours } of COLOURS.classes) assert.deepEqual(classParts(names, false), colours);
});

for (const page of ["light", "dark"]) {
  test(`on a ${page} page, lines, text and grid have the colours that the server's figures give them`, () => {
    const dark = page === "dark", { ink, grid, paper } = inks(dark);
    assert.deepEqual(COLOURS.lines[page].map((_, k) => variantColour(k, dark)), COLOURS.lines[page]);
    assert.deepEqual({ text: ink, grid, paper }, COLOURS.page[page]);
  });
}
