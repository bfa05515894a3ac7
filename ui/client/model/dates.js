// Dates that the model takes as numbers, told as dates; the same as tsk_core/explain/labels.py.

/** @import { BaseColumn } from "../core/messages.js" */
/** @typedef {NonNullable<BaseColumn["date"]>} ExportedDate */

/** @type {Record<string, number>} */
const DAYS = { years: 365.25, days: 1, hours: 1 / 24 }; // of one unit of each scale
const DAY = 86_400_000; // milliseconds
const [FIRST, LAST] = [Date.parse("0001-01-01"), Date.parse("9999-12-31")];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/**
 * A value of a column of dates as text, exact to `step` in the column's unit, without the time of day where all dates are midnights; null
 * where the column has no dates, or the value is none.
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
