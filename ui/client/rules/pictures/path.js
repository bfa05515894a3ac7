// Lines of small drawings.

/**
 * A line through points as the value of the attribute d of a path.
 * @param {[number, number][]} points
 */
export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`;
