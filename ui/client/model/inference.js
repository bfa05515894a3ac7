// The exported rules, computed here: firing levels, scores, probabilities, and why one row got its class. All in float64.
//
// μ(x) = exp(−(x − m)² / (2 σ²)), the Gaussian membership function, which is written nowhere else in JavaScript.
// z_r = w_r + Σ_d log μ_rd(x_d); f̄ is its softmax, or exp z / (Σ exp z + ε) under kind "paper", or 1 / (ε − z), normalised, under "log";
// y^c = Σ_r f̄_r (b_r0^c + Σ_d b_rd^c x_d), with f̃_r (weightsOf) in place of f̄_r under "layer-relu". The class is that of the largest
// y; probabilities are the softmax of y + log_prior, which a model with class weights has (tsk_core.train.table). Rows are encoded and in
// original units. The same as tsk_core.explain.exported.

/** @import { Base, Snapshot } from "../core/types.js" */
/** @import { Explanation, Model, Plane, Row } from "./types.js" */

export const LOWEST = -Number.MAX_VALUE / 4; // stands for a log firing level of minus infinity, and survives subtraction
export const HALF = Math.sqrt(2 * Math.LN2); // σ from the centre to where the membership is a half

/**
 * 1/(√2 σ), which stands for the width in what follows: 0 where the antecedent was dropped and μ is 1 everywhere.
 * @param {number | null} sigma
 */
export const inverseWidth = (sigma) => (sigma === null ? 0 : 1 / (Math.SQRT2 * Math.abs(sigma)));

/**
 * (x − m)/(√2 σ). Its square is −log μ(x).
 * @param {number} x
 * @param {number} center m
 * @param {number} inverse of the width
 */
export const scaledDistance = (x, center, inverse) => (x - center) * inverse;

/**
 * log μ(x).
 * @param {number} x
 * @param {number} center
 * @param {number} inverse
 */
export function logMembership(x, center, inverse) {
  const distance = scaledDistance(x, center, inverse);
  return -distance * distance;
}

/**
 * log μ of a feature in rule r: the sum over its columns.
 * @param {Pick<Snapshot, "centers" | "sigmas">} snapshot
 * @param {number} r
 * @param {number[]} columns of the feature
 * @param {(d: number) => number} value of each of them
 */
const logOfFeature = ({ centers, sigmas }, r, columns, value) => columns.reduce((sum, d) => (
  sum + logMembership(value(d), centers[r][d], inverseWidth(sigmas[r][d]))), 0);

/**
 * log μ of each category of a feature, or of each rank of an ordered one.
 * @param {Pick<Snapshot, "centers" | "sigmas">} snapshot
 * @param {number} r
 * @param {number[]} columns of the feature
 * @param {string[] | null | undefined} levels of ordered categories
 */
export const logOfStates = (snapshot, r, columns, levels) => (levels
  ? levels.map((_, rank) => logOfFeature(snapshot, r, columns, () => rank))
  : columns.map((chosen) => logOfFeature(snapshot, r, columns, (d) => Number(d === chosen))));

/**
 * The membership of a row in a rule's condition on a feature, in [0, 1]; of a category relative to the likeliest one.
 * @param {Pick<Snapshot, "centers" | "sigmas">} snapshot
 * @param {number} r
 * @param {number[]} columns of the feature
 * @param {{ kind?: string, levels?: string[] | null }} column the first of them
 * @param {ArrayLike<number>} x
 */
export function featureMembership(snapshot, r, columns, { kind, levels }, x) {
  const here = logOfFeature(snapshot, r, columns, (d) => x[d]);
  if (kind === "number" && !levels) return Math.exp(here);
  return Math.exp(Math.min(0, here - Math.max(...logOfStates(snapshot, r, columns, levels))));
}

/**
 * A snapshot as arrays, rule by rule: centers, inverse [R·D] (see inverseWidth), slopes [R·C·D], constants [R·C], logWeight [R].
 * @param {Snapshot} snapshot
 * @param {Pick<Base, "normalisation" | "log_prior">} base of the exported rules
 * @returns {Model}
 */
export function modelOf(snapshot, { normalisation, log_prior }) {
  const { log_weight, centers, sigmas, consequents } = snapshot;
  const R = log_weight.length, D = centers[0].length, C = consequents[0].length;
  const { scale = [], shift = [] } = snapshot, { kind, epsilon } = normalisation.of ?? normalisation;
  const model = {
    R, D, C, epoch: snapshot.epoch, epsilon: kind === "paper" ? epsilon : 0, logEpsilon: kind === "log" ? epsilon : 0,
    layer: normalisation.kind === "layer-relu" ? { epsilon: normalisation.epsilon, scale, shift } : null,
    logWeight: Float64Array.from(log_weight), centers: new Float64Array(R * D), inverse: new Float64Array(R * D),
    constants: new Float64Array(R * C), slopes: new Float64Array(R * C * D), logPrior: Float64Array.from(log_prior ?? new Float64Array(C)),
  };
  for (let r = 0; r < R; r++) {
    for (let d = 0; d < D; d++) {
      model.centers[r * D + d] = centers[r][d];
      model.inverse[r * D + d] = inverseWidth(sigmas[r][d]);
    }
    for (let c = 0; c < C; c++) {
      model.constants[r * C + c] = consequents[r][c][0];
      model.slopes.set(consequents[r][c].slice(1), (r * C + c) * D);
    }
  }
  return model;
}

/**
 * Log firing levels z_r of one row.
 * @param {Model} model
 * @param {Row} x
 */
export function logLevels(model, x) {
  const z = new Float64Array(model.R);
  for (let r = 0; r < model.R; r++) z[r] = logLevel(model, x, r);
  return z;
}

/**
 * The log firing level z_r of one rule for one row.
 * @param {Model} model
 * @param {Row} x
 * @param {number} r
 */
export function logLevel({ D, logWeight, centers, inverse }, x, r) {
  let z = logWeight[r];
  for (let d = 0, k = r * D; d < D; d++, k++) z += logMembership(x[d], centers[k], inverse[k]);
  return z;
}

/**
 * The index of the predicted class from log firing levels [R], which it changes, and the rules' scores [R·C].
 * @param {Model} model
 * @param {Float64Array} z
 * @param {Float64Array} outputs
 */
export const classOf = (model, z, outputs) => largest(total(weightsOf(normalise(z, model), model), outputs, model.C));

/**
 * The logarithms whose softmax is f̄, from log levels, in place: the log levels themselves, or log(1 / (ε − z)) under kind "log".
 * @param {Float64Array} z
 * @param {Pick<Model, "logEpsilon">} model
 */
export function levelsOf(z, { logEpsilon }) {
  if (logEpsilon) for (let r = 0; r < z.length; r++) z[r] = -Math.log(logEpsilon - Math.max(Math.min(z[r], 0), LOWEST));
  return z;
}

/**
 * Firing levels f̄_r from log levels, in place. They sum to 1; to less under "paper" where every rule underflows.
 * @param {Float64Array} z
 * @param {Pick<Model, "epsilon" | "logEpsilon">} model
 */
export function normalise(z, model) {
  const { epsilon } = model;
  levelsOf(z, model);
  let top = LOWEST, sum = 0;
  for (let r = 0; r < z.length; r++) {
    if (!(z[r] > LOWEST)) z[r] = LOWEST;
    if (z[r] > top) top = z[r];
  }
  for (let r = 0; r < z.length; r++) sum += z[r] = Math.exp(z[r] - top);
  // exp(top) divided out, in whichever direction cannot overflow
  const scale = epsilon ? Math.exp(Math.min(top, 0)) : 1;
  const whole = epsilon ? sum * scale + epsilon * Math.exp(-Math.max(top, 0)) : sum;
  for (let r = 0; r < z.length; r++) z[r] = (z[r] * scale) / whole;
  return z;
}

/**
 * What the rules' scores are multiplied by, from f̄ [R]: f̄ itself, or f̃ of layer normalisation with ReLU, over the rules that are not
 * taken out.
 * @param {Float64Array} firing
 * @param {Pick<Model, "layer" | "logWeight">} model
 */
export function weightsOf(firing, { layer, logWeight }) {
  if (!layer) return firing;
  const R = firing.length, { epsilon, scale, shift } = layer;
  let count = 0, sum = 0, squares = 0;
  for (let r = 0; r < R; r++) {
    if (logWeight[r] === -Infinity) continue;
    count += 1;
    sum += firing[r];
  }
  const mean = sum / count;
  for (let r = 0; r < R; r++) if (logWeight[r] !== -Infinity) squares += (firing[r] - mean) ** 2;
  const deviation = Math.sqrt(squares / count + epsilon);
  return firing.map((f, r) => (logWeight[r] === -Infinity ? 0 : Math.max(0, (scale[r] * (f - mean)) / deviation + shift[r])));
}

/**
 * What these weights are called.
 * @param {Pick<Model, "layer">} model
 */
export const weightName = ({ layer }) => (layer ? "layer-normalised firing level" : "firing level");

/**
 * The firing levels f̄_r of one row.
 * @param {Model} model
 * @param {Row} x
 */
export const firingOf = (model, x) => normalise(logLevels(model, x), model);

/**
 * Each rule's own score of each class, y_r^c, as [R·C].
 * @param {Model} model
 * @param {Row} x
 */
export function ruleOutputs(model, x) {
  const { R, D, C, slopes } = model, outputs = Float64Array.from(model.constants);
  for (let k = 0; k < R * C; k++) {
    let sum = 0;
    for (let d = 0, j = k * D; d < D; d++, j++) sum += slopes[j] * x[d];
    outputs[k] += sum;
  }
  return outputs;
}

/**
 * Scores y^c [C] of one row from the weights [R] of the rules and their scores [R·C].
 * @param {Float64Array} weights
 * @param {Float64Array} outputs
 * @param {number} C
 */
function total(weights, outputs, C) {
  const scores = new Float64Array(C);
  for (let r = 0; r < weights.length; r++) {
    if (weights[r] > 0) for (let c = 0; c < C; c++) scores[c] += weights[r] * outputs[r * C + c];
  }
  return scores;
}

/**
 * The index of the predicted class of one row.
 * @param {Model} model
 * @param {Row} x
 */
export const predict = (model, x) => classOf(model, logLevels(model, x), ruleOutputs(model, x));

/**
 * Softmax of scores and logPrior, which does not overflow.
 * @param {Model} model
 * @param {Float64Array} scores
 */
function probabilitiesOf({ logPrior }, scores) {
  const odds = scores.map((y, c) => y + logPrior[c]), top = Math.max(...odds), shares = Array.from(odds, (y) => Math.exp(y - top));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

/**
 * The probability of class c alone.
 * @param {Model} model
 * @param {Float64Array} scores
 * @param {number} c
 */
export function probabilityOf({ logPrior }, scores, c) {
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += Math.exp(scores[k] + logPrior[k] - scores[c] - logPrior[c]);
  return 1 / sum;
}

/**
 * The index of the largest value; of the first one where several are.
 * @param {ArrayLike<number>} values
 */
export function largest(values) {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}

/**
 * Why a row gets its class: firing [R], weights [R] (see weightsOf), contributions [R][C] (weight · y_r^c), scores and probabilities [C],
 * the index of the predicted class, the entropy in [0, log R], and effective = exp(entropy) in [1, R], the number of equally firing
 * rules with the same entropy.
 * @param {Model} model
 * @param {Row} x
 * @returns {Explanation}
 */
export function explain(model, x) {
  const { R, C } = model, firing = firingOf(model, x), weights = weightsOf(firing, model), outputs = ruleOutputs(model, x);
  const contributions = Array.from({ length: R }, (_, r) => Array.from({ length: C }, (_, c) => weights[r] * outputs[r * C + c]));
  const scores = total(weights, outputs, C);
  const entropy = Math.max(0, -firing.reduce((sum, f) => (f > 0 ? sum + f * Math.log(f) : sum), 0));
  const probabilities = probabilitiesOf(model, scores);
  return { firing, weights, contributions, scores, probabilities, predicted: largest(scores), entropy, effective: Math.exp(entropy) };
}

/**
 * The predicted class and its probability at each place of a plane, origin + u·across + v·up for each u of `us` and v of `vs`, as
 * [vs·us], one row after the other.
 * @param {Model} model
 * @param {Plane} plane
 * @param {ArrayLike<number> & Iterable<number>} us
 * @param {ArrayLike<number> & Iterable<number>} vs
 */
export function surface(model, plane, us, vs) {
  const predicted = new Uint16Array(us.length * vs.length), probability = new Float64Array(us.length * vs.length);
  const scoresAt = scoresOn(model, plane);
  let k = 0;
  for (const v of vs) {
    for (const u of us) {
      const scores = scoresAt(u, v), best = largest(scores);
      predicted[k] = best;
      probability[k] = probabilityOf(model, scores, best);
      k += 1;
    }
  }
  return { predicted, probability };
}

/**
 * A function that gives the scores y^c [C] at a place (u, v) of a plane; the next call overwrites them. On a plane each log μ is a
 * quadratic and each score of a rule is linear in u and v, so a place costs the same however many columns there are.
 * @param {Model} model
 * @param {Plane} plane
 */
export function scoresOn(model, { origin, across, up }) {
  const { R, C, logWeight } = model, { constant, terms } = quadratics(model, origin, across, up);
  const at = ruleOutputs(model, origin), alongU = slopesAlong(model, across), alongV = slopesAlong(model, up);
  const z = new Float64Array(R), scores = new Float64Array(C);
  return (/** @type {number} */ u, /** @type {number} */ v) => {
    for (let r = 0, j = 0; r < R; r++, j += 5) {
      const linear = terms[j] + u * terms[j + 1] + v * terms[j + 2];
      z[r] = logWeight[r] - (constant[r] + u * linear + v * (terms[j + 3] + v * terms[j + 4]));
    }
    const weights = weightsOf(normalise(z, model), model);
    scores.fill(0);
    for (let r = 0; r < R; r++) {
      if (weights[r] < 1e-12) continue; // too little to be seen
      for (let c = 0, j = r * C; c < C; c++, j++) scores[c] += weights[r] * (at[j] + u * alongU[j] + v * alongV[j]);
    }
    return scores;
  };
}

/**
 * −Σ_d log μ_rd(origin + u·across + v·up) as constant [R] and the factors of u, u², uv, v, v² [R·5].
 * @param {Model} model
 * @param {Row} origin
 * @param {Row} across
 * @param {Row} up
 */
function quadratics(model, origin, across, up) {
  const { R, D, centers, inverse } = model, constant = new Float64Array(R), terms = new Float64Array(R * 5);
  for (let r = 0; r < R; r++) {
    for (let d = 0, k = r * D; d < D; d++, k++) {
      const s = scaledDistance(origin[d], centers[k], inverse[k]), a = across[d] * inverse[k], b = up[d] * inverse[k];
      constant[r] += s * s;
      terms[r * 5] += 2 * s * a;
      terms[r * 5 + 1] += a * a;
      terms[r * 5 + 2] += 2 * a * b;
      terms[r * 5 + 3] += 2 * s * b;
      terms[r * 5 + 4] += b * b;
    }
  }
  return { constant, terms };
}

/**
 * How each rule's score of each class changes along a direction, [R·C].
 * @param {Model} model
 * @param {Row} direction
 */
function slopesAlong({ R, D, C, slopes }, direction) {
  const changes = new Float64Array(R * C);
  for (let k = 0; k < R * C; k++) for (let d = 0; d < D; d++) changes[k] += direction[d] * slopes[k * D + d];
  return changes;
}
