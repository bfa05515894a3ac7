// The colours that all figures share. Classes and lines have the colours of Okabe and Ito, which colour-blind
// people can tell apart. Rules have others, so that no rule looks like a class, in more shades where there are more rules than colours.
// A rule keeps its colour everywhere, and its number always stands by it.

export const [BLUE, ORANGE, GREEN, SKY, GREY, PINK, AMBER] = ["#0072B2", "#D55E00", "#009E73", "#56B4E9", "#8C8C8C", "#CC79A7", "#E69F00"];
export const VIOLET = "#6A5BD0";
const RULES = [VIOLET, "#66A61E", "#C2185B", "#00A3A8", "#A0662B", "#AA4499", "#CC6677", "#88803A"];
const SHADES = { light: [0, 0.45, -0.4], dark: [0, 0.35, 0.7] }; // towards white, or below 0 towards black; on a light or a dark page
const CLASSES = [BLUE, ORANGE, GREEN, PINK, AMBER, SKY, "#B8A800", GREY];
const VARIANTS_ON_DARK = [SKY, ORANGE, GREEN, PINK, AMBER, "#F0E442", "#B8A800", GREY];
/** @type {Record<string, [string, string]>} */
const NAMED = { // classes that are called so look like it, on a light and on a dark page: at least 3 to 1 on its ground
  black: ["#1E1E1E", "#6A6A6A"], white: ["#949494", "#F8F8F8"], grey: ["#606060", "#AEAEAE"], gray: ["#606060", "#AEAEAE"],
  red: ["#CC2222", "#D63333"], orange: ["#C98500", AMBER], yellow: ["#A39400", "#D8C400"], green: [GREEN, GREEN], blue: [BLUE, BLUE],
  purple: ["#7B3F98", "#9456B3"], violet: ["#7B3F98", "#9456B3"], brown: ["#8C564B", "#9A6256"], pink: [PINK, PINK],
};
const NEAR = 90; // of two colours as points in red, green and blue; nearer ones are not given to two classes of one run

/**
 * The colour of a rule, by its index from 0.
 * @param {number} rule
 * @param {boolean} dark
 */
export const ruleColour = (rule, dark) => `rgb(${shade(RULES, rule, dark).join(",")})`;

/**
 * The colours of all classes as red, green and blue, 0 to 255 [C][3]: of classes whose names are colours those, of the others the
 * usual ones in their order, without those that look like the first.
 * @param {string[]} names
 * @param {boolean} dark
 */
export function classParts(names, dark) {
  const wanted = names.map((name) => NAMED[String(name).trim().toLowerCase()]?.[dark ? 1 : 0]);
  const own = wanted.map((colour, c) => (colour && wanted.indexOf(colour) === c ? parts(colour) : null));
  const taken = own.filter((colour) => colour !== null);
  const usual = CLASSES.filter((colour) => taken.every((other) => distance(parts(colour), other) > NEAR));
  let next = 0;
  return own.map((colour) => colour ?? shade(usual, next++, dark));
}

/**
 * The same for a figure.
 * @param {string[]} names
 * @param {boolean} dark
 */
export const classColours = (names, dark) => classParts(names, dark).map((colour) => `rgb(${colour.join(",")})`);

/**
 * The colour of a variant of a comparison, as "#RRGGBB"; on a dark page, two that are hard to see there are replaced.
 * @param {number} index
 * @param {boolean} dark
 */
export const variantColour = (index, dark) => (dark ? VARIANTS_ON_DARK : CLASSES)[index % CLASSES.length];

/**
 * A colour "#RRGGBB" that lets so much of the page through.
 * @param {string} colour
 * @param {number} alpha
 */
export const withAlpha = (colour, alpha) => `rgba(${parts(colour).join(",")},${alpha})`;

/** @param {boolean} dark */
export const blue = (dark) => (dark ? SKY : BLUE);

/**
 * For text too, which needs more contrast than a bar.
 * @param {boolean} dark
 */
export const green = (dark) => (dark ? GREEN : "#00785A");

/**
 * A scale from blue over the colour of the page to orange, for what lies below and above a level that is in its middle.
 * @param {boolean} dark
 * @returns {[number, string][]}
 */
export const diverging = (dark) => (dark
  ? [[0, SKY], [0.25, "#3B7396"], [0.5, "#262730"], [0.75, "#A04F12"], [1, "#FF8A3D"]]
  : [[0, "#004C7A"], [0.25, "#6FAED6"], [0.5, "#F5F5F5"], [0.75, "#F0A36B"], [1, "#A84300"]]);

/**
 * Colours of text and lines on a light or a dark page.
 * @param {boolean} dark
 */
export function inks(dark) {
  return dark
    ? { ink: "#E6E6E6", grid: "rgba(255,255,255,0.15)", paper: "#262730", grey: "#A8A8A8", comparison: "#9A9A9A" }
    : { ink: "#262730", grid: "rgba(0,0,0,0.12)", paper: "#FFFFFF", grey: "#6B6B6B", comparison: "#757575" };
}

/**
 * One of the colours, in another shade each time they are used up.
 * @param {string[]} colours
 * @param {number} index
 * @param {boolean} dark
 */
function shade(colours, index, dark) {
  const shades = dark ? SHADES.dark : SHADES.light;
  const colour = colours[index % colours.length], towards = shades[Math.floor(index / colours.length) % shades.length];
  const goal = towards > 0 ? 255 : 0;
  return parts(colour).map((part) => Math.round(part + (goal - part) * Math.abs(towards)));
}

/**
 * Red, green and blue of "#RRGGBB".
 * @param {string} colour
 */
const parts = (colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));

/** @param {number[]} a @param {number[]} b */
const distance = (a, b) => Math.hypot(...a.map((part, k) => part - b[k]));
