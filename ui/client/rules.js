// The rules as a person reads them, at the epoch looked at. The server puts them into words at some epochs (ui/live/books.py).

import { ruleColour } from "./colours.js";
import { element } from "./elements.js";
import { inForce } from "./store.js";

const AT_FIRST = 10; // rules; the others are folded away

/** A view: the rules. options: { note } of ui/rules_panel.py. */
export function rules(parent, options) {
  const when = element(parent, "p", "tsk-when", { role: "status" });
  const summary = element(parent, "p", "tsk-summary-of-rules");
  const first = element(parent, "ol", "tsk-cards");
  const more = element(parent, "details", "tsk-more");
  const words = element(more, "summary", "tsk-summary");
  const others = element(more, "ol", "tsk-cards");
  let drawn = [];
  return {
    draw(now) {
      const book = inForce(now.shown.books, now), order = now.order;
      when.textContent = [book ? moment(book, now) : waiting(now), now.shown.trouble].filter(Boolean).join(" ");
      when.hidden = !when.textContent;
      const most = mostCarried(now.shown);
      const all = [book, order, most, now.dark];
      if (all.every((value, k) => value === drawn[k])) return;
      drawn = all;
      summary.textContent = book?.summary.join("\n") ?? "";
      const sorted = book ? [...book.rules] : []; // as they come, the most active is first
      if (order === "number") sorted.sort((a, b) => a.rule - b.rule);
      const even = 1 / sorted.length / most;
      for (const [node, some] of [[first, sorted.slice(0, AT_FIRST)], [others, sorted.slice(AT_FIRST)]]) list(node, some, { most, even, dark: now.dark });
      const rest = sorted.length - AT_FIRST;
      more.hidden = rest <= 0;
      words.textContent = `${rest} more ${rest === 1 ? "rule" : "rules"}${order === "number" ? "" : ", less active ones"}`;
    },
  };

  function moment(book, { newest, shown, epoch }) {
    if (newest && shown.about.ended) return "";
    const kept = shown.books.length > 1 || !options.note;
    return `After epoch ${book.epoch}${epoch && book.epoch > epoch.epoch ? ", the first one kept" : ""}.${kept ? "" : ` ${options.note}`}`;
  }

  function waiting({ shown }) {
    if (shown.about.ended) return "";
    return options.note || "The first rules come with the first epochs.";
  }
}

/** The largest share of the firing that a rule had at any epoch: how long the bars may be, so that they compare through time. */
const mostCarried = ({ run, epochs }) => {
  if (widest.run !== run || widest.epochs > epochs.length) widest = { run, epochs: 0, share: 1e-9 };
  for (const { firing } of epochs.slice(widest.epochs)) widest.share = Math.max(widest.share, ...firing);
  widest.epochs = epochs.length;
  return widest.share;
};
let widest = {};

/** Rules as the items of a list, which stay where they are from one drawing to the next. even: where the line of 1/R stands. */
function list(parent, rules, how) {
  while (parent.children.length > rules.length) parent.lastChild.remove();
  while (parent.children.length < rules.length) parent.appendChild(document.createElement("li")).className = "tsk-card";
  rules.forEach((rule, k) => card(parent.children[k], rule, how));
}

function card(item, { rule, if: conditions, then, dead, support, said }, { most, even, dark }) {
  const name = element(item, "span", "tsk-rule-name"), dot = element(name, "i", "tsk-swatch", { "aria-hidden": "true" });
  dot.classList.add("tsk-rule");
  dot.style.background = ruleColour(rule - 1, dark);
  element(name, "b", "tsk-name").textContent = `Rule ${rule}`;
  const share = element(item, "span", "tsk-share", { "aria-hidden": "true", title: "Its share of the firing; the line is an even share" });
  const part = element(share, "i", "tsk-part");
  Object.assign(part.style, { width: `${100 * Math.min(1, support / most)}%`, background: ruleColour(rule - 1, dark) });
  element(share, "i", "tsk-even").style.left = `${100 * even}%`;
  const sentence = element(item, "p", "tsk-sentence");
  sentence.hidden = dead;
  sentence.replaceChildren(...(dead ? [] : sentenceOf(conditions, then)));
  element(item, "p", "tsk-said").textContent = said.join("\n");
}

/** "IF … AND … THEN …", with the words of logic in bold. */
function sentenceOf(conditions, then) {
  const parts = [bold("IF"), " ", ...(conditions.length ? conditions : ["anything"]).flatMap((text, k) => (k ? [" ", bold("AND"), " ", text] : [text]))];
  return [...parts, " ", bold("THEN"), " ", bold(then)];
}

const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });
