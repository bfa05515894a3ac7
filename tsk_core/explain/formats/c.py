"""The rules as a C99 file with two functions."""

from collections.abc import Iterable

from tsk_core.errors import DataError
from tsk_core.explain.formats.model import (
    Feature,
    Model,
    OnNumber,
    PlainRule,
    ZeroOrderRule,
    identifiers,
    in_comment,
    read_zero_order,
)

_HEAD = """\
/* A fuzzy classifier as two functions, tsk_predict and tsk_predict_proba. Written by TSK Explorer; C99, needs only the
   mathematics library (-lm).

   Numbers have no unit, and a date is the number that the name of its column says. A missing number is NAN, a missing category
   NULL; both are replaced as in training. A category is text in UTF-8; one that training did not have counts as none of them,
   as "other" where training merged rare categories into that, and where they have an order as missing.

     struct tsk_row row = { ... };
     double scores[TSK_CLASSES], probabilities[TSK_CLASSES];
     int predicted = tsk_predict(&row, scores);   // tsk_class_names[predicted]; -1 where a number is infinite
     predicted = tsk_predict_proba(&row, probabilities); // the same class
*/

#include <math.h>
#include <stddef.h>
#include <string.h>

"""
_BODY = """
static void tsk_encode(const struct tsk_row *row, double x[TSK_COLUMNS])
{
{encode}
}

int tsk_predict(const struct tsk_row *row, double scores[TSK_CLASSES])
{
    double x[TSK_COLUMNS], firing[TSK_RULES], top = -INFINITY, total = 0.0;
    int r, d, k, best = 0;

    tsk_encode(row, x);
    for (d = 0; d < TSK_COLUMNS; d++)
        if (!isfinite(x[d])) return -1;
    for (r = 0; r < TSK_RULES; r++) { /* the logarithm of each rule's firing level */
        firing[r] = tsk_log_weights[r];
        for (d = 0; d < TSK_COLUMNS; d++)
            if (tsk_sigmas[r][d] > 0.0) {
                double distance = (x[d] - tsk_centres[r][d]) / tsk_sigmas[r][d];
                firing[r] -= 0.5 * distance * distance;
            }
        if (!(firing[r] > -1e300)) firing[r] = -1e300;
{log}        if (firing[r] > top) top = firing[r];
    }
    for (r = 0; r < TSK_RULES; r++) {
        firing[r] = exp(firing[r] - top);
        total += firing[r];
    }
    for (k = 0; k < TSK_CLASSES; k++) {
        scores[k] = 0.0;
        for (r = 0; r < TSK_RULES; r++) {
            double output = tsk_consequents[r][k][0];
            for (d = 0; d < TSK_COLUMNS; d++)
                output += tsk_consequents[r][k][d + 1] * x[d];
            scores[k] += firing[r] / total * output;
        }
        if (scores[k] > scores[best]) best = k;
    }
    return best;
}
"""
_ZERO_ORDER_HEAD = """\
/* A readable fuzzy classifier as two functions, tsk_predict and tsk_predict_proba. Written by TSK Explorer; C99, needs only the
   mathematics library (-lm).

   Each rule is its conditions and a score for each class. The predicted scores are the mean of the rules' scores, weighted by
   their firing levels. A sentence gives the range in which a condition's membership is at least one half.

   A row has the columns that some rule has a condition on. Numbers have no unit, and a date is the number that the name of its
   column says. A missing number is NAN, a missing category NULL; both are replaced as in training. A category is text in UTF-8;
   one that training did not have counts as none of them, as "other" where training merged rare categories into that, and where
   they have an order as missing.

     struct tsk_row row = { ... };
     double scores[TSK_CLASSES], probabilities[TSK_CLASSES];
     int predicted = tsk_predict(&row, scores);   // tsk_class_names[predicted]; -1 where a number is infinite
     predicted = tsk_predict_proba(&row, probabilities); // the same class
*/

#include <math.h>
#include <stddef.h>
#include <string.h>

"""
_LOG_GAUSS = """
/* The logarithm of a Gaussian membership. */
static double tsk_log_gauss(double value, double centre, double sigma)
{
    double distance = (value - centre) / sigma;
    return -0.5 * distance * distance;
}
"""
_OPENING = """
int tsk_predict(const struct tsk_row *row, double scores[TSK_CLASSES])
{"""
_CLOSING = """\
    };
    double top = -INFINITY, total = 0.0;
    int r, k, best = 0;

    for (r = 0; r < TSK_RULES; r++) {
        if (!(rules[r].level > -1e300)) rules[r].level = -1e300;
{log}        if (rules[r].level > top) top = rules[r].level;
    }
    for (r = 0; r < TSK_RULES; r++) {
        rules[r].level = exp(rules[r].level - top);
        total += rules[r].level;
    }
    for (k = 0; k < TSK_CLASSES; k++) {
        scores[k] = 0.0;
        for (r = 0; r < TSK_RULES; r++)
            scores[k] += rules[r].level / total * rules[r].scores[k];
        if (scores[k] > scores[best]) best = k;
    }
    return best;
}
"""
_PROBABILITIES = """
/* The predicted class, and the probability of each class: exp(score), as a share of their sum. */
int tsk_predict_proba(const struct tsk_row *row, double probabilities[TSK_CLASSES])
{
    double top, total = 0.0;
    int k, best = tsk_predict(row, probabilities);

    if (best < 0) return -1;
    top = probabilities[best];
    for (k = 0; k < TSK_CLASSES; k++) {
        probabilities[k] = exp(probabilities[k] - top);
        total += probabilities[k];
    }
    for (k = 0; k < TSK_CLASSES; k++)
        probabilities[k] /= total;
    return best;
}
"""
_TOP = "    top = probabilities[best];\n"
_WEIGHTED = """\
    /* Training weighed the classes, and tsk_predict still does. These numbers make the probabilities those of unweighted rows. */
    top = -INFINITY;
    for (k = 0; k < TSK_CLASSES; k++) {
        static const double priors[TSK_CLASSES] = {priors};
        probabilities[k] += priors[k];
        if (probabilities[k] > top) top = probabilities[k];
    }
"""
_LOG = "        {level} = -log({epsilon!r} - fmin({level}, 0.0)); /* LogTSK: f = 1/(epsilon - level) */\n"
_WORDS = (  # names in the function, and what compilers reserve besides
    "row scores rules top total r k best exp fmin log isfinite isnan strcmp tsk_log_gauss alignas alignof asm constexpr linux"
    " nullptr static_assert thread_local typeof unix"
)
_TAKEN = frozenset(_WORDS.split())
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.,:;=+-<>()[]{}!#&|^~*/$@`'")


def to_c(model: Model) -> str:
    """The source. DataError where a category holds a NUL character, which C text cannot."""
    if model.zero_order:
        return _zero_order(model)
    fields = identifiers((feature.name for feature in model.features), _TAKEN)
    names = [f"    {_declared(*pair)}" for pair in zip(model.features, fields, strict=True)]
    D, C, R = len(model.columns), len(model.classes), len(model.rules)
    note = " /* the last rule is the epsilon of the normalisation */" if model.has_epsilon else ""
    encode = "\n".join(_encoded(*pair) for pair in zip(model.features, fields, strict=True))
    # In one call of replace, since names may hold braces.
    return "\n".join([
        f"{_HEAD}enum {{ TSK_COLUMNS = {D}, TSK_RULES = {R}, TSK_CLASSES = {C} }};{note}\n",
        "struct tsk_row {", *names, "};\n",
        f"{_class_names(model)}\n",
        f"static const double tsk_log_weights[TSK_RULES] = {_numbers(rule.log_weight for rule in model.rules)};",
        _matrix("tsk_centres", model.rules, D, 1),
        "/* 0: the rule has no condition on this column */",
        _matrix("tsk_sigmas", model.rules, D, 2),
        "static const double tsk_consequents[TSK_RULES][TSK_CLASSES][TSK_COLUMNS + 1] = { /* constant first */",
        *(f"    {{{', '.join(map(_numbers, rule.consequents))}}}," for rule in model.rules),
        "};",
        _BODY.replace("{log}", model.if_log(_LOG, level="firing[r]")).replace("{encode}", encode) + _probabilities(model),
    ])  # fmt: skip


def _probabilities(model: Model) -> str:
    """The source of ``tsk_predict_proba``."""
    if not model.log_prior:
        return _PROBABILITIES
    return _PROBABILITIES.replace(_TOP, _WEIGHTED.replace("{priors}", _numbers(model.log_prior)))


def _zero_order(model: Model) -> str:
    base = read_zero_order(model)
    fields = identifiers((feature.name for feature in base.features), _TAKEN)
    declared = [_declared(*pair) for pair in zip(base.features, fields, strict=True)]
    values = [_value(*pair) for pair in zip(base.features, fields, strict=True)]
    numbers = [name for feature, name in zip(base.features, fields, strict=True) if feature.kind == "number"]
    infinite = [f"if ({' || '.join(f'!isfinite({name})' for name in numbers)}) return -1;"] if numbers else []
    with_numbers = any(isinstance(term, OnNumber) for rule in base.rules for term in rule.terms)
    return "\n".join([
        f"{_ZERO_ORDER_HEAD}enum {{ TSK_RULES = {len(model.rules)}, TSK_CLASSES = {len(model.classes)} }};\n",
        "struct tsk_row {",
        *(f"    {one}" for one in declared or ["char none; /* no rule has a condition */"]),
        f"}};\n\n{_class_names(model)}",
        (_LOG_GAUSS if with_numbers else "") + _OPENING,
        *(f"    {line}" for line in [*values, *infinite] or ["(void)row;"]),
        "    struct { double level, scores[TSK_CLASSES]; } rules[TSK_RULES] = { /* level: the logarithm of the firing level */",
        *(_zero_order_rule(rule, fields) for rule in base.rules),
        _CLOSING.replace("{log}", model.if_log(_LOG, level="rules[r].level")) + _probabilities(model),
    ])  # fmt: skip


def _value(feature: Feature, field: str) -> str:
    """A local variable with the value of a field, or with what replaces it."""
    if feature.kind == "number":
        return f"double {field} = isnan(row->{field}) ? {feature.impute!r} : row->{field};"
    return f"const char *{field} = row->{field} ? row->{field} : {_text(str(feature.impute))};"


def _zero_order_rule(rule: ZeroOrderRule, fields: list[str]) -> str:
    terms = [repr(rule.log_weight)] if rule.log_weight or not rule.terms else []
    for term in rule.terms:
        name = fields[term.feature]
        if isinstance(term, OnNumber):
            terms.append(f"tsk_log_gauss({name}, {term.center!r}, {term.sigma!r})")
        else:
            chosen = "".join(f"strcmp({name}, {_text(category)}) == 0 ? {level!r} : " for category, level in term.levels)
            terms.append(f"({chosen}{term.other!r})")
    level, scores = "\n            + ".join(terms), _numbers(rule.scores)
    return f"        /* {in_comment(rule.sentence, '*/')} */\n        {{{level},\n            {scores}}},"


def _class_names(model: Model) -> str:
    return f"const char *const tsk_class_names[TSK_CLASSES] = {{{', '.join(map(_text, model.classes))}}};"


def _declared(feature: Feature, field: str) -> str:
    comment = f" /* {in_comment(feature.name, '*/')} */" if field != feature.name else ""
    return f"double {field};{comment}" if feature.kind == "number" else f"const char *{field};{comment}"


def _encoded(feature: Feature, field: str) -> str:
    value, first = f"row->{field}", feature.first
    if feature.kind == "number":
        return f"    x[{first}] = isnan({value}) ? {feature.impute!r} : {value};"
    lines = [f"    const char *value_{first} = {value} ? {value} : {_text(str(feature.impute))};"]
    if feature.kind == "ordinal":
        ranks = (f"strcmp(value_{first}, {_text(name)}) == 0 ? {rank}.0 : " for rank, name in enumerate(feature.categories))
        return "\n".join([*lines, f"    x[{first}] = {''.join(ranks)}{feature.fallback!r};"])
    known = {first + k: category for k, category in enumerate(feature.categories) if category != feature.unknown}
    lines += [f"    x[{d}] = strcmp(value_{first}, {_text(category)}) == 0 ? 1.0 : 0.0;" for d, category in known.items()]
    if feature.unknown:
        others = " + ".join(f"x[{d}]" for d in known) or "0.0"
        lines.append(f"    x[{first + feature.categories.index(feature.unknown)}] = 1.0 - ({others});")
    return "\n".join(lines)


def _matrix(name: str, rules: Iterable[PlainRule], n_columns: int, part: int) -> str:
    """Centres (part 1) or widths (part 2) of all rules; 0 where a rule has no condition."""
    lines = [f"static const double {name}[TSK_RULES][TSK_COLUMNS] = {{"]
    for rule in rules:
        row = [0.0] * n_columns
        for condition in rule.conditions:
            row[condition[0]] = condition[part]
        lines.append(f"    {_numbers(row)},")
    return "\n".join([*lines, "};"])


def _numbers(values: Iterable[float]) -> str:
    return f"{{{', '.join(map(repr, values))}}}"


def _text(text: str) -> str:
    """A string literal in UTF-8: every byte with a meaning as three octal digits, among them "?", which begins trigraphs."""
    if "\0" in text:
        raise DataError("A name holds a NUL character, which C text cannot hold; export another format.")
    encoded = text.encode("utf-8", "replace")
    return '"' + "".join(chr(byte) if chr(byte) in _PLAIN else f"\\{byte:03o}" for byte in encoded) + '"'
