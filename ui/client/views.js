// All views by name. A view is a function of its element and the data it was placed with; it returns { draw(state), node, watch },
// where node, if given, is what has to be drawn anew when its width changes, and watch(draw) tells of changes beside the store's.

import { chart } from "./chart.js";
import { entropy } from "./entropy.js";
import { firing, heat } from "./firing.js";
import { accuracy, gradients, loss } from "./lines.js";
import { confusion, reliability } from "./mistakes.js";
import { order } from "./order.js";
import { plane } from "./plane.js";
import { reasons } from "./reasons.js";
import { rules } from "./rules.js";
import { time } from "./time.js";

export const views = {
  loss: chart(loss),
  accuracy: chart(accuracy),
  gradients: chart(gradients),
  firing: chart(firing),
  heat: chart(heat),
  entropy: chart(entropy),
  confusion: chart(confusion),
  reliability: chart(reliability),
  order,
  plane,
  reasons,
  rules,
  time,
};
