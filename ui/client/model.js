// The exported rules, computed here: firing levels, scores, probabilities, and why one row got its class. All in float64.
//
// z_r = w_r − Σ_d (x_d − m_rd)² / (2 σ_rd²); f̄ is its softmax, or exp z / (Σ exp z + ε) under kind "paper";
// y^c = Σ_r f̄_r (b_r0^c + Σ_d b_rd^c x_d). Rows are encoded and in original units. The same as tsk_core.explain.reader.

const LOWEST = -Number.MAX_VALUE / 4; // stands for a log firing level of minus infinity, and survives subtraction

/**
 * A snapshot as arrays, rule by rule: centers, reach [R·D] (1/(√2 σ); 0 where the antecedent was dropped), slopes [R·C·D],
 * constants [R·C], logWeight [R]. normalisation: that of the exported rules.
 */
export function modelOf(snapshot, normalisation) {
  const { log_weight, centers, sigmas, consequents } = snapshot;
  const R = log_weight.length, D = centers[0].length, C = consequents[0].length;
  const model = {
    R, D, C, epoch: snapshot.epoch, epsilon: normalisation.kind === "paper" ? normalisation.epsilon : 0,
    logWeight: Float64Array.from(log_weight), centers: new Float64Array(R * D), reach: new Float64Array(R * D),
    constants: new Float64Array(R * C), slopes: new Float64Array(R * C * D),
  };
  for (let r = 0; r < R; r++) {
    for (let d = 0; d < D; d++) {
      if (sigmas[r][d] === null || centers[r][d] === null) continue; // reach stays 0
      model.centers[r * D + d] = centers[r][d];
      model.reach[r * D + d] = 1 / (Math.SQRT2 * Math.abs(sigmas[r][d]));
    }
    for (let c = 0; c < C; c++) {
      model.constants[r * C + c] = consequents[r][c][0];
      model.slopes.set(consequents[r][c].slice(1), (r * C + c) * D);
    }
  }
  return model;
}

/** Log firing levels z_r of one row. */
export function logLevels(model, x) {
  const { R, D, centers, reach } = model, z = Float64Array.from(model.logWeight);
  for (let r = 0; r < R; r++) {
    let distance = 0;
    for (let d = 0, k = r * D; d < D; d++, k++) {
      const step = (x[d] - centers[k]) * reach[k];
      distance += step * step;
    }
    z[r] -= distance;
  }
  return z;
}

/** Firing levels f̄_r from log levels, in place. They sum to 1; to less under "paper" where every rule underflows. */
export function normalise(z, epsilon) {
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

/** Each rule's own score of each class, y_r^c, as [R·C]. */
export function ruleOutputs(model, x) {
  const { R, D, C, slopes } = model, outputs = Float64Array.from(model.constants);
  for (let k = 0; k < R * C; k++) {
    let sum = 0;
    for (let d = 0, j = k * D; d < D; d++, j++) sum += slopes[j] * x[d];
    outputs[k] += sum;
  }
  return outputs;
}

/** Scores y^c [C] of one row from firing levels [R] and the rules' scores [R·C]. */
function total(firing, outputs, C) {
  const scores = new Float64Array(C);
  for (let r = 0; r < firing.length; r++) {
    if (firing[r] > 0) for (let c = 0; c < C; c++) scores[c] += firing[r] * outputs[r * C + c];
  }
  return scores;
}

/** Class scores [C] of one row. */
export const scoresOf = (model, x) => total(normalise(logLevels(model, x), model.epsilon), ruleOutputs(model, x), model.C);

/** Softmax of scores, which does not overflow. */
export function probabilitiesOf(scores) {
  const top = Math.max(...scores), shares = Array.from(scores, (y) => Math.exp(y - top));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

/** The index of the largest; of the first one where several are. */
export function largest(values) {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}

/** The index of the class decided for each row. */
export const decisions = (model, rows) => rows.map((x) => largest(scoresOf(model, x)));

/**
 * Why a row gets its class: firing [R], contributions [R][C] (f̄_r·y_r^c), scores and probabilities [C], decided (a class's
 * index), entropy in [0, log R] and effective in [1, R]: as if so many rules shared the decision.
 */
export function explain(model, x) {
  const { R, C } = model, firing = normalise(logLevels(model, x), model.epsilon), outputs = ruleOutputs(model, x);
  const contributions = Array.from({ length: R }, (_, r) => Array.from({ length: C }, (_, c) => firing[r] * outputs[r * C + c]));
  const scores = total(firing, outputs, C);
  const entropy = Math.max(0, -firing.reduce((sum, f) => (f > 0 ? sum + f * Math.log(f) : sum), 0));
  return {
    firing, contributions, scores, probabilities: probabilitiesOf(scores), decided: largest(scores), entropy, effective: Math.exp(entropy),
  };
}

/**
 * What the model decides on a plane through `origin`, at origin + u·across + v·up for each u of `us` and v of `vs`: the class
 * decided and its probability, [vs][us] in one row after the other. On a plane every z is a square and every score of a rule
 * a straight line in u and v, so a place costs the same however many columns there are.
 */
export function surface(model, { origin, across, up }, us, vs) {
  const { R, C, epsilon } = model, squares = quadratics(model, origin, across, up);
  const at = ruleOutputs(model, origin), along = [across, up].map((axis) => slopesAlong(model, axis));
  const decided = new Uint16Array(us.length * vs.length), sure = new Float64Array(us.length * vs.length);
  const z = new Float64Array(R), scores = new Float64Array(C);
  let k = 0;
  for (const v of vs) {
    for (const u of us) {
      for (let r = 0, j = 0; r < R; r++, j += 5) {
        z[r] = model.logWeight[r] - (squares.constant[r] + u * (squares.terms[j] + u * squares.terms[j + 1] + v * squares.terms[j + 2])
          + v * (squares.terms[j + 3] + v * squares.terms[j + 4]));
      }
      normalise(z, epsilon);
      scores.fill(0);
      for (let r = 0; r < R; r++) {
        if (z[r] < 1e-12) continue; // too little to be seen
        for (let c = 0, j = r * C; c < C; c++, j++) scores[c] += z[r] * (at[j] + u * along[0][j] + v * along[1][j]);
      }
      const best = largest(scores);
      decided[k] = best;
      sure[k] = 1 / scores.reduce((sum, y) => sum + Math.exp(y - scores[best]), 0);
      k += 1;
    }
  }
  return { decided, sure };
}

/** Σ_d ((origin + u·across + v·up − m)·reach)² as constant [R] and the factors of u, u², uv, v, v² [R·5]. */
function quadratics(model, origin, across, up) {
  const { R, D, centers, reach } = model, constant = new Float64Array(R), terms = new Float64Array(R * 5);
  for (let r = 0; r < R; r++) {
    for (let d = 0, k = r * D; d < D; d++, k++) {
      const s = (origin[d] - centers[k]) * reach[k], a = across[d] * reach[k], b = up[d] * reach[k];
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

function slopesAlong({ R, D, C, slopes }, axis) {
  return Float64Array.from({ length: R * C }, (_, k) => axis.reduce((sum, a, d) => (a ? sum + a * slopes[k * D + d] : sum), 0));
}
