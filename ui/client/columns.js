// What is known of the columns of a run's data: features with their columns, what each ranges over, and which tell most.

/**
 * The table that samples are looked at in: { columns, features, rows, view, middle, told, classes }.
 *
 * base: what all snapshots share (columns, classes). rows: what the server sent of the data (row, part, y, x, columns, view), or
 * null where it has none; then the ranges are those that the rules of `snapshot` cover.
 * columns [D]: { feature, kind, category, low, high }. features: { name, kind, columns: indices, told }, `told` being how
 * far apart the feature holds the classes. told: indices of the features, the most telling first. middle [D]: a typical row.
 */
export function tableOf(base, rows, snapshot) {
  const ranges = rows ? rows.columns : rangesOf(base, snapshot);
  const columns = base.columns.map((column, d) => ({ ...column, low: ranges[d].low, high: ranges[d].high }));
  const telling = rows ? separation(rows, base.classes.length) : slopes(snapshot, columns);
  const features = featuresOf(columns, telling);
  const told = features.map((_, k) => k).sort((a, b) => features[b].told - features[a].told || a - b);
  return { columns, features, rows, view: rows?.view ?? null, middle: middleOf(base), told, classes: base.classes };
}

function featuresOf(columns, telling) {
  const features = [];
  columns.forEach((column, d) => {
    if (features.at(-1)?.name !== column.feature) features.push({ name: column.feature, kind: column.kind, columns: [], told: -1 });
    const feature = features.at(-1);
    feature.columns.push(d);
    feature.told = Math.max(feature.told, telling[d]);
  });
  return features;
}

/** What the rules cover of each column: half their width beyond their outermost centres. */
function rangesOf(base, { centers, sigmas }) {
  return base.columns.map((column, d) => {
    if (column.kind !== "number") return { low: 0, high: 1 };
    const kept = centers.map((row, r) => [row[d], sigmas[r][d]]).filter(([, sigma]) => sigma !== null);
    const ends = [column.impute, ...kept.flatMap(([center, sigma]) => [center - sigma, center + sigma])];
    return { low: ends.reduce((a, b) => Math.min(a, b)), high: ends.reduce((a, b) => Math.max(a, b)) };
  });
}

/** A typical row: what fills gaps, which is each number's median in training, and of each category what is most frequent there. */
function middleOf(base) {
  return base.columns.map(({ kind, category, impute }) => (kind === "number" ? impute : Number(category === impute)));
}

/** How far apart each column holds the classes: the variance between their means, over the mean variance within them. */
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

/** Without rows: how far the rules' slopes hold the classes apart over a column's range. */
function slopes({ consequents }, columns) {
  return columns.map(({ low, high }, d) => consequents.reduce((sum, rows) => {
    const values = rows.map((row) => row[d + 1]);
    return sum + (Math.max(...values) - Math.min(...values)) * (high - low);
  }, 0));
}

/** A column as words: its feature, with the category where it is one of several. */
export const columnName = ({ feature, kind, category }) => (kind === "number" ? feature : `${feature} is ${category}`);

/** The same with at most about 40 characters, of which some are the category's. */
export function shortName(column) {
  if (column.kind === "number") return cut(column.feature, 40);
  const category = cut(String(column.category), 18);
  return `${cut(column.feature, 36 - category.length)} is ${category}`;
}

/** Text that is at most so long. */
export const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** A value of a column with digits that matter: so many as tell that part of its range, a thousandth unless told. */
export function written(value, { low, high }, parts = 1000) {
  const step = Math.abs(high - low) / parts || Math.abs(value) / parts || 1;
  const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step))));
  return Math.abs(value) >= 1e12 || (step < 1e-12) ? value.toPrecision(4) : String(Number(value.toFixed(digits)));
}

/** What a feature is in row x, as words. */
export function valueOf(table, feature, x) {
  if (feature.kind === "number") return written(x[feature.columns[0]], table.columns[feature.columns[0]]);
  const set = feature.columns.find((d) => x[d] > 0.5);
  return set === undefined ? "none of the known" : String(table.columns[set].category);
}

/** The features in which two rows differ. */
export const differing = (table, x, other) => table.features.filter((feature) => feature.columns.some((d) => x[d] !== other[d]));
