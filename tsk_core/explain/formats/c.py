"""The rules as a C99 file with two functions."""

from collections.abc import Iterable

from tsk_core.errors import DataError
from tsk_core.explain.formats.model import Feature, LogGauss, Model, PlainRule, Table, filled, identifiers, in_comment, preface

_TEMPLATE = """\
/* {{preface}}

     struct tsk_row row = { ... };
     double scores[TSK_CLASSES], probabilities[TSK_CLASSES];
     int predicted = tsk_predict(&row, scores);   // tsk_class_names[predicted]; -1 where a number is infinite
     predicted = tsk_predict_proba(&row, probabilities); // the same class
*/

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { TSK_RULES = {{n_rules}}, TSK_CLASSES = {{n_classes}} };

struct tsk_row {
{{fields}}
};

const char *const tsk_class_names[TSK_CLASSES] = {{classes}};

{{log_gauss}}
{{linear}}
int tsk_predict(const struct tsk_row *row, double scores[TSK_CLASSES])
{
{{values}}
{{encoded}}
    struct { double level, scores[TSK_CLASSES]; } rules[TSK_RULES] = { /* level: the logarithm of the firing level */
{{rules}}
    };
    double top = -INFINITY, total = 0.0;
    int r, k, best = 0;

    for (r = 0; r < TSK_RULES; r++) {
        if (!(rules[r].level > -1e300)) rules[r].level = -1e300;
{{log}}
        if (rules[r].level > top) top = rules[r].level;
{{slopes}}
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

/* The predicted class, and the probability of each class: exp(score), as a share of their sum. */
int tsk_predict_proba(const struct tsk_row *row, double probabilities[TSK_CLASSES])
{
    double top, total = 0.0;
    int k, best = tsk_predict(row, probabilities);

    if (best < 0) return -1;
{{top}}
    for (k = 0; k < TSK_CLASSES; k++) {
        probabilities[k] = exp(probabilities[k] - top);
        total += probabilities[k];
    }
    for (k = 0; k < TSK_CLASSES; k++)
        probabilities[k] /= total;
    return best;
}
"""
_LOG_GAUSS = """\
/* The logarithm of a Gaussian membership. */
static double tsk_log_gauss(double value, double centre, double sigma)
{
    double distance = (value - centre) / sigma;
    return -0.5 * distance * distance;
}
"""
_LINEAR = """\
enum { TSK_COLUMNS = {{n_columns}} };

static const double tsk_slopes[TSK_RULES][TSK_CLASSES][TSK_COLUMNS] = {
{{slopes}}
};

/* What the encoded values add to a score: a number as it is, a category as one 0 or 1 for each, or as its rank. */
static double tsk_linear(const double slopes[TSK_COLUMNS], const double encoded[TSK_COLUMNS])
{
    double sum = 0.0;
    int d;

    for (d = 0; d < TSK_COLUMNS; d++)
        sum += slopes[d] * encoded[d];
    return sum;
}
"""
_SLOPES = """\
        for (k = 0; k < TSK_CLASSES; k++)
            rules[r].scores[k] += tsk_linear(tsk_slopes[r][k], encoded);"""
_LOG = "        rules[r].level = -log({epsilon!r} - fmin(rules[r].level, 0.0)); /* LogTSK: f = 1/(epsilon - level) */"
_TOP = "    top = probabilities[best];"
_WEIGHTED_TOP = """\
    /* Training weighed the classes, and tsk_predict still does. These numbers make the probabilities those of unweighted rows. */
    top = -INFINITY;
    for (k = 0; k < TSK_CLASSES; k++) {
        static const double priors[TSK_CLASSES] = {{priors}};
        probabilities[k] += priors[k];
        if (probabilities[k] > top) top = probabilities[k];
    }"""
_WORDS = (  # names in the function, and what compilers reserve besides
    "row scores rules encoded top total r k best exp fmin log isfinite isnan strcmp tsk_log_gauss tsk_linear tsk_slopes alignas"
    " alignof asm constexpr linux nullptr static_assert thread_local typeof unix"
)
_TAKEN = frozenset(_WORDS.split())
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.,:;=+-<>()[]{}!#&|^~*/$@`'")


def to_c(model: Model) -> str:
    """The source. DataError where a category holds a NUL character, which C text cannot."""
    fields = identifiers((feature.name for feature in model.taken), _TAKEN)
    pairs = list(zip(model.taken, fields, strict=True))
    infinite = " || ".join(f"!isfinite({name})" for feature, name in pairs if feature.kind == "number")
    values = [*(_value(*pair) for pair in pairs), *([f"if ({infinite}) return -1;"] if infinite else [])]
    encoded = [fields[one] if isinstance(one, int) else _term(one, fields) for one in model.encoded]
    with_numbers = any(isinstance(term, LogGauss) for rule in model.rules for term in rule.terms)
    return filled(
        _TEMPLATE,
        preface=preface(
            model, "   ", made="two functions, tsk_predict and tsk_predict_proba. Written by TSK Explorer; C99, needs only the"
            " mathematics library (-lm).", row="A row has a field for each column of your table",
            missing="A missing number is NAN, a missing category NULL; both are", text="text in UTF-8",
        ).lstrip(),
        n_rules=str(len(model.rules)),
        n_classes=str(len(model.classes)),
        fields="\n".join(f"    {_declared(*pair)}" for pair in pairs) or "    char none; /* no rule has a condition */",
        classes=_braced(map(_text, model.classes)),
        log_gauss=_LOG_GAUSS if with_numbers else "",
        linear=filled(_LINEAR, n_columns=str(len(encoded)), slopes="\n".join(map(_slopes, model.rules))) if encoded else "",
        values="\n".join(f"    {line}" for line in values or ["(void)row;"]),
        encoded="\n".join(["    const double encoded[TSK_COLUMNS] = {", *(f"        {one}," for one in encoded), "    };"])
        if encoded else "",
        rules="\n".join(_rule(rule, fields) for rule in model.rules),
        slopes=_SLOPES if encoded else "",
        log=_LOG.format(epsilon=model.log_epsilon) if model.log_epsilon else "",
        top=filled(_WEIGHTED_TOP, priors=_numbers(model.log_prior)) if model.log_prior else _TOP,
    )  # fmt: skip


def _declared(feature: Feature, field: str) -> str:
    comment = f" /* {in_comment(feature.name, '*/')} */" if field != feature.name else ""
    return f"double {field};{comment}" if feature.kind == "number" else f"const char *{field};{comment}"


def _value(feature: Feature, field: str) -> str:
    """A local variable with the value of a field, or with what replaces it."""
    if feature.kind == "number":
        return f"double {field} = isnan(row->{field}) ? {feature.impute!r} : row->{field};"
    return f"const char *{field} = row->{field} ? row->{field} : {_text(str(feature.impute))};"


def _rule(rule: PlainRule, fields: list[str]) -> str:
    terms = [repr(rule.log_weight)] if rule.log_weight or not rule.terms else []
    level = "\n            + ".join([*terms, *(_term(term, fields) for term in rule.terms)])
    constants = _numbers(constant for constant, *_ in rule.consequents)
    return f"        /* {in_comment(rule.sentence, '*/')} */\n        {{{level},\n            {constants}}},"


def _slopes(rule: PlainRule) -> str:
    return f"    {_braced(_numbers(slopes) for _, *slopes in rule.consequents)},"


def _term(term: LogGauss | Table, fields: list[str]) -> str:
    name = fields[term.feature]
    if isinstance(term, LogGauss):
        return f"tsk_log_gauss({name}, {term.center!r}, {term.sigma!r})"
    return (
        f"({''.join(f'strcmp({name}, {_text(category)}) == 0 ? {value!r} : ' for category, value in term.entries)}{term.other!r})"
    )


def _numbers(values: Iterable[float]) -> str:
    return _braced(map(repr, values))


def _braced(items: Iterable[str]) -> str:
    return f"{{{', '.join(items)}}}"


def _text(text: str) -> str:
    """A string literal in UTF-8: every byte with a meaning as three octal digits, among them "?", which begins trigraphs."""
    if "\0" in text:
        raise DataError("A name holds a NUL character, which C text cannot hold; export another format.")
    encoded = text.encode("utf-8", "replace")
    return '"' + "".join(chr(byte) if chr(byte) in _PLAIN else f"\\{byte:03o}" for byte in encoded) + '"'
