// The rule list as a grid: a row for each sentence, a column for each feature that one of them uses.

/** @import { ListedColumn, ListedCondition, ListedRule, RuleList } from "../../core/messages.js" */

import { signed } from "../../core/text.js";
import { gridModel } from "../../charts/rule_grid.js";

/**
 * A row. place: in the rule list, from 1; null for "otherwise". then: its class by its index. cells: a condition for each column.
 * @typedef {{ place: number | null, item: ListedRule, then: number, cells: (ListedCondition | null)[] }} Row
 * @typedef {{ name: string, over: ListedColumn }} Column
 * @typedef {{ columns: Column[], rows: Row[], text: string, of: string, total: number }} Grid
 */

/**
 * @param {RuleList} list
 * @param {string[]} classes
 * @param {boolean} byClass whether rows of a class stand together; "otherwise" is the last row all the same
 * @returns {Grid}
 */
export function listGrid(list, classes, byClass = false) {
  const rules = list.items.filter(({ rule }) => rule !== null), thenOf = (/** @type {ListedRule} */ item) => classes.indexOf(item.class);
  const levels = rules.map(({ conditions }) => list.features.map((name) => {
    const own = conditions.find(({ feature }) => feature === name);
    return own ? Math.max(own.level, 1e-3) : 0; // a condition counts, however little it restricts
  }));
  const model = gridModel({ features: list.features, classes, levels, then: rules.map(thenOf) });
  const columns = model.columns.filter(({ used }) => used).map(({ name }) => ({ name, over: list.columns[name] }));
  /** @type {Row[]} */
  const rows = list.items.map((item, k) => ({
    place: item.rule === null ? null : k + 1, item, then: thenOf(item),
    cells: columns.map(({ name }) => item.conditions.find(({ feature }) => feature === name) ?? null),
  }));
  if (byClass) rows.sort((a, b) => Number(a.place === null) - Number(b.place === null) || a.then - b.then); // else in the order they have
  return { columns, rows, text: model.text, of: list.of, total: list.rows };
}

/**
 * What a row says of the test rows, a line each.
 * @param {ListedRule} item
 */
export function supportTexts({ rule, class: named, true: count, right, taken, takenRight }) {
  const lines = [rule === null ? `left: ${number(count)}` : `true of ${number(count)}`];
  if (right !== null && count) lines.push(`${number(right)} are ${named}`);
  if (taken !== count) lines.push(`first for ${number(taken)}${takenRight === null || !taken ? "" : `, ${number(takenRight)} right`}`);
  return lines;
}

/** A score with its sign, "" without one. @param {number | null} score */
export const scoreText = (score) => (score === null ? "" : signed(score, 2));

/** @param {number} value */
const number = (value) => value.toLocaleString("en");
