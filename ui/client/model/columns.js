// What is known of the columns of a run's data: features with their columns, their ranges, which separate the classes best, and dates.

/** @import { Base, BaseColumn, Range, Rows, Snapshot } from "../core/types.js" */
/** @import { Column, Feature, Row, Table } from "./types.js" */

import { plotlyNames, truncated } from "../core/text.js";

/** @type {Record<string, number>} */
const DAYS = { years: 365.25, days: 1, hours: 1 / 24 }; // of one unit of each scale
const DAY = 86_400_000; // milliseconds
const [FIRST, LAST] = [Date.parse("0001-01-01"), Date.parse("9999-12-31")];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** @typedef {NonNullable<BaseColumn["date"]>} ExportedDate */

/**
 * The table that samples are shown in.
 * @param {Base} base what all snapshots share
 * @param {Rows | null} rows of the data, or null where the server has none; then the ranges are those that the rules of `snapshot` cover
 * @param {Snapshot} snapshot
 * @returns {Table}
 */
export function tableOf(base, rows, snapshot) {
  const ranges = rows ? rows.columns : rangesOf(base, snapshot);
  const columns = base.columns.map((column, d) => ({ ...column, low: ranges[d].low, high: ranges[d].high }));
  const features = featuresOf(columns, rows ? separation(rows, base.classes.length) : spread(snapshot, columns));
  const ranked = features.map((_, k) => k).sort((a, b) => features[b].separation - features[a].separation || a - b);
  return { columns, features, rows, view: rows?.view ?? null, typical: typicalRow(base), ranked, classes: base.classes };
}

/**
 * @param {Column[]} columns
 * @param {number[]} separations of the columns
 */
function featuresOf(columns, separations) {
  /** @type {Feature[]} */
  const features = [];
  columns.forEach((column, d) => {
    const last = features.at(-1);
    if (last?.name === column.feature) {
      last.columns.push(d);
      last.separation = Math.max(last.separation, separations[d]);
    } else features.push({ name: column.feature, kind: column.kind, columns: [d], separation: Math.max(-1, separations[d]) });
  });
  return features;
}

/**
 * What the rules cover of each column: one σ beyond their outermost centres.
 * @param {Base} base
 * @param {Snapshot} snapshot
 * @returns {Range[]}
 */
function rangesOf(base, { centers, sigmas }) {
  return base.columns.map((column, d) => {
    if (column.kind !== "number") return { low: 0, high: 1 };
    if (column.levels) return { low: 0, high: column.levels.length - 1 };
    const ends = [Number(column.impute)];
    centers.forEach((center, r) => {
      const sigma = sigmas[r][d];
      if (sigma !== null) ends.push(center[d] - sigma, center[d] + sigma);
    });
    return { low: ends.reduce((a, b) => Math.min(a, b)), high: ends.reduce((a, b) => Math.max(a, b)) };
  });
}

/**
 * A typical row: what replaces missing values, which is each number's median in training and each category's most frequent value.
 * @param {Base} base
 */
function typicalRow(base) {
  return base.columns.map(({ kind, category, impute }) => (kind === "number" ? Number(impute) : Number(category === impute)));
}

/**
 * How far each column separates the classes: the variance between their means, over the mean variance within them.
 * @param {Rows} rows
 * @param {number} C
 */
function separation({ x, y }, C) {
  return x[0].map((_, d) => {
    const counts = new Float64Array(C), means = new Float64Array(C);
    x.forEach((row, n) => { counts[y[n]] += 1; means[y[n]] += (row[d] - means[y[n]]) / counts[y[n]]; });
    const mean = means.reduce((sum, m, c) => sum + m * counts[c], 0) / x.length;
    const between = means.reduce((sum, m, c) => sum + counts[c] * (m - mean) ** 2, 0);
    const within = x.reduce((sum, row, n) => sum + (row[d] - means[y[n]]) ** 2, 0);
    return between + within ? between / (within + 1e-9 * (between + within)) : -1;
  });
}

/**
 * Without rows: how far the rules' slopes separate the classes over a column's range.
 * @param {Snapshot} snapshot
 * @param {Column[]} columns
 */
function spread({ consequents }, columns) {
  return columns.map(({ low, high }, d) => consequents.reduce((sum, rows) => {
    const values = rows.map((row) => row[d + 1]);
    return sum + (Math.max(...values) - Math.min(...values)) * (high - low);
  }, 0));
}

/**
 * A column in words: its feature, with the category where it is one of several.
 * @param {BaseColumn} column
 */
export const columnName = ({ feature, kind, category }) => (kind === "number" ? feature : `${feature} is ${category}`);

/**
 * The same with at most about 40 characters, some of them the category's.
 * @param {BaseColumn} column
 */
export function shortName(column) {
  if (column.kind === "number") return truncated(column.feature);
  const category = truncated(column.category, 18);
  return `${truncated(column.feature, 36 - category.length)} is ${category}`;
}

/**
 * A value of a column with as many digits as distinguish so many parts of its range.
 * @param {number} value
 * @param {Range} range
 * @param {number} [parts]
 */
export function numberText(value, { low, high }, parts = 1000) {
  const step = Math.abs(high - low) / parts || Math.abs(value) / parts || 1;
  const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step))));
  const significant = Math.min(17, Math.max(4, Math.ceil(Math.log10(Math.abs(value) / step)) + 1)); // 4 of 0
  return String(Number(Math.abs(value) >= 1e12 || step < 1e-12 ? value.toPrecision(significant) : value.toFixed(digits)));
}

/**
 * The rank nearest to a value of a column of ordered categories.
 * @param {number} value
 * @param {string[]} levels
 */
export const nearestRank = (value, levels) => Math.min(levels.length - 1, Math.max(0, Math.round(value)));

/**
 * A figure's axis over a column of ordered categories has their names as ticks.
 * @param {string[]} levels
 */
export const levelTicks = (levels) => ({ tickvals: levels.map((_, k) => k), ticktext: plotlyNames(levels, 18) });

/**
 * Where a figure over a column begins and ends: half a rank beyond the outer ones of ordered categories.
 * @param {Column} column
 * @returns {Range}
 */
export const extentOf = ({ levels, low, high }) => (levels ? { low: -0.5, high: levels.length - 0.5 } : { low, high });

/**
 * A value of a column for a reader: the name of an ordered category, a date where the table has dates, else the number.
 * @param {number} value
 * @param {Column} column
 * @param {number} [parts] of its range that are distinguished
 */
export const valueText = (value, column, parts) => (
  column.levels?.[nearestRank(value, column.levels)]
    ?? dateText(column, value, (column.high - column.low) / 200) ?? numberText(value, column, parts)
);

/**
 * The value of a feature in a row, in words.
 * @param {Table} table
 * @param {Feature} feature
 * @param {Row} x
 * @param {number} [parts] of the range of a number that are distinguished
 */
export function featureText(table, feature, x, parts) {
  if (feature.kind === "number") return valueText(x[feature.columns[0]], table.columns[feature.columns[0]], parts);
  const set = feature.columns.find((d) => x[d] > 0.5);
  return set === undefined ? "none of the known categories" : String(table.columns[set].category);
}

/**
 * The features in which two rows differ.
 * @param {Table} table
 * @param {Row} x
 * @param {Row} other
 */
export const changedFeatures = (table, x, other) => table.features.filter((feature) => feature.columns.some((d) => x[d] !== other[d]));

/**
 * A value of a column of dates, which the model takes as a number, as text as in tsk_core/explain/labels.py: exact to `step` in the
 * column's unit, without the time of day where all dates are midnights; null where the column has no dates, or the value is none.
 * @param {BaseColumn} column
 * @param {number} value
 * @param {number} step
 */
export function dateText({ date }, value, step) {
  if (!date || !Number.isFinite(value)) return null;
  if (date.scale === "clock") return clock(Math.round(value * 60));
  const exact = date.scale === "years" ? fromYears(value) : Date.parse(date.origin) + value * DAYS[date.scale] * DAY;
  const at = 1000 * Math.round(exact / 1000);
  if (!(at >= FIRST && at <= LAST)) return null;
  const exactDays = step * DAYS[date.scale], days = date.midnights ? Math.max(1, exactDays) : exactDays;
  const half = days < 0.5 ? DAY / 2880 : days < 15 ? DAY / 2 : days < 180 ? 15 * DAY : 182 * DAY;
  const rounded = new Date(at + half), year = String(rounded.getUTCFullYear());
  if (days >= 180) return year;
  const month = `${MONTHS[rounded.getUTCMonth()]} ${year}`;
  if (days >= 15) return month;
  const day = `${rounded.getUTCDate()} ${month}`;
  return days < 0.5 ? `${day} ${clock(rounded.getUTCHours() * 60 + rounded.getUTCMinutes())}` : day;
}

/**
 * What the text of a date distinguishes at most, in the unit of its column: a day, or a minute where the column has times of day.
 * @param {ExportedDate} date
 */
export function finestDate(date) {
  return date.scale === "clock" ? 1 / 60 : (byDay(date) ? 1 : 1 / 1440) / DAYS[date.scale];
}

/**
 * The value of the day or minute nearest to a value of a date, or of the next one up (side 1) or down (−1).
 * @param {ExportedDate} date
 * @param {number} value
 * @param {number} side
 */
export function writtenDate(date, value, side) {
  const whole = side > 0 ? Math.ceil : side < 0 ? Math.floor : Math.round;
  if (date.scale === "clock") return whole(Math.round(value * 3600) / 60) / 60;
  const exact = date.scale === "years" ? fromYears(value) : Date.parse(date.origin) + value * DAYS[date.scale] * DAY;
  const size = byDay(date) ? DAY : DAY / 1440, at = whole((1000 * Math.round(exact / 1000)) / size) * size;
  return date.scale === "years" ? toYears(at) : (at - Date.parse(date.origin)) / DAY / DAYS[date.scale];
}

/** @param {ExportedDate} date */
const byDay = ({ scale, midnights }) => scale === "years" || midnights === true;

/**
 * The decimal year of a moment in milliseconds since 1970.
 * @param {number} at
 */
function toYears(at) {
  const year = new Date(at).getUTCFullYear(), [start, end] = [year, year + 1].map((one) => new Date(0).setUTCFullYear(one, 0, 1));
  return year + (at - start) / (end - start);
}

/** @param {number} minutes */
function clock(minutes) {
  if (minutes < 0 || minutes > 24 * 60) return null;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * Milliseconds since 1970 of a decimal year.
 * @param {number} value
 */
function fromYears(value) {
  const year = Math.floor(value), start = new Date(0).setUTCFullYear(year, 0, 1), end = new Date(0).setUTCFullYear(year + 1, 0, 1);
  return start + (value - year) * (end - start);
}
