"""The order of categories, where their names have one: numbers, ranges of numbers, or words of a known scale."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

LEAST = 3  # states that have an order: of two, one is always named
OUTSIDE = {"missing", "not missing", "other", "another value", "unknown", "not known", "n/a", "na", "?"}  # of no order
# "3", "-1.5", "<3", "under 3", "≤ 3", "5+", "5more", "5 or more", ">5", "more than 5"; "more" alone is the last of all
NUMBER = re.compile(r"(?P<under><=?|≤|under |below |up to |less than )?(?P<over>>=?|≥|over |above |more than )? ?"
                    r"(?P<number>[+-]?[0-9]+(?:[.][0-9]+)?)(?P<more>\+| ?(?:or |and )?(?:more|above|over))?")  # fmt: skip
RANGE = re.compile(r"[\[(]?(?P<low>[0-9]+(?:[.][0-9]+)?) ?(?:-|–|to|bis|,|\.\.) ?(?P<high>[0-9]+(?:[.][0-9]+)?)[])]?")
NUMBERED = re.compile(r"[(]?(?P<number>[0-9]+) ?[-.:=_)] ?(?P<name>[^0-9 ].*)")  # "1-low", "2: medium"
GRADED = re.compile(r"(?P<what>[^0-9]*[^0-9 ])(?: ?(?P<level>[0-9]+)| (?P<roman>[ivx]+))")  # "grade 3", "stage IV"
GRADES = frozenset({
    "asa", "degree", "grad", "grade", "klasse", "level", "phase", "priority", "q", "quarter", "rank", "score", "stadium", "stage",
    "stufe", "tier", "year",
})  # fmt: skip
UNIT = re.compile(r"(?<=[0-9]) ?(?:%|€|[$]|[a-z]{1,2}|years?|yrs?|jahre?|hours?|days?|months?|weeks?|min|miles?)"
                  r"(?=$| ?(?:-|–|to )[0-9 ])")  # fmt: skip
ENDS = {"none": -np.inf, "more": np.inf}  # among numbers
ENDINGS = {"st", "nd", "rd", "th"}
# Lowest level first; names of one level are separated by |. A feature has the order where each of its states has its own level.
SCALES = (
    "extremely low|xlow; very low|vlow|vl; low|lo|l; medium|med|mid|middle|moderate|average|normal|m; high|hi|h; "
    "very high|vhigh|vh; extremely high|xhigh",
    "xxs; xs|extra small|very small|tiny; small|s; medium|med|m|middle|mid|average|normal; large|big|l|great; "
    "xl|extra large|very large|very big|huge; xxl|2xl; xxxl|3xl",
    "none|absent|no|normal; minimal|trace; mild|slight|light; moderate|medium; severe|heavy|strong; very severe|extreme|critical",
    "none|no; few|little; some; many|much; all",
    "never; rarely|seldom|hardly ever; sometimes|occasionally; often|frequently; usually|mostly; always",
    "never; yearly; monthly; weekly; daily",
    "very poor|very bad|terrible; poor|bad; fair|acceptable|ok|average|satisfactory|normal; good; very good|vgood; premium; "
    "excellent|ideal",
    "strongly disagree; disagree; neutral|undecided|neither agree nor disagree; agree; strongly agree",
    "very dissatisfied; dissatisfied; neutral; satisfied; very satisfied",
    "very unlikely; unlikely; possible|neutral; likely; very likely",
    "child; adolescent|teenager; young|young adult; middle-aged|middle aged|adult; old|senior|elderly",
    "very short; short; medium|average|normal|middle; tall|long; very tall|very long",
    "freezing|very cold; cold; cool; mild|medium; warm; hot; very hot",
    "very slow; slow; medium|normal|average; fast|quick; very fast",
    "very weak; weak; medium|moderate|normal; strong; very strong",
    "very narrow; narrow; medium|normal; wide|broad; very wide",
    "very light; light; medium|normal; heavy|dark; very heavy|very dark",
    "empty; half; full",
    "poor; middle; rich",
    "underweight; normal|normal weight|healthy; overweight; obese|obesity",
    "sedentary|inactive; light|lightly active; moderate|moderately active; vigorous|active; very active",
    "non-urgent|not urgent; semi-urgent; urgent; emergency|immediate",
    "po; fa; ta; gd; ex",
    "easy; medium|moderate|normal; hard|difficult; very hard|very difficult",
    "beginner|novice; intermediate; advanced; expert",
    "none|no schooling; primary|primary school|elementary|elementary school; secondary|secondary school|high school; "
    "vocational|apprenticeship|associate; bachelor|bachelors|bachelor's|tertiary|higher|university; master|masters|master's; "
    "doctorate|doctoral|doctor|phd",
    "preschool; 1st-4th; 5th-6th; 7th-8th; 9th; 10th; 11th; 12th; hs-grad|high school; some-college|some college; assoc-voc; "
    "assoc-acdm|associate; bachelors|bachelor; masters|master; prof-school; doctorate|phd",
    "first; second; third; fourth; fifth; sixth; seventh; eighth; ninth; tenth",
    "1st; 2nd; 3rd; 4th; 5th; 6th; 7th; 8th; 9th; 10th; 11th; 12th",
    "zero; one; two; three; four; five; six; seven; eight; nine; ten; eleven; twelve",
    "i; ii; iii; iv; v; vi; vii; viii; ix; x",
    "sehr niedrig; niedrig|gering; mittel; hoch; sehr hoch",
    "sehr klein; klein; mittel|mittelgroß; groß|gross; sehr groß|sehr gross",
    "nie|niemals; selten; manchmal|gelegentlich; oft|häufig; immer",
    "kein|keine|keiner; leicht|gering; mittel|mäßig|mittelschwer; schwer|stark; sehr schwer|sehr stark",
    "ungenügend; mangelhaft; ausreichend; befriedigend; gut; sehr gut",
    "sehr schlecht; schlecht; mittel; gut; sehr gut",
)
LETTERS = "f; e; d-; d; d+; c-; c; c+; b-; b; b+; a-; a; a+"  # only where one has a sign: without, they may be any codes
CYCLES = (  # an order for whoever asks for it, but the last one is next to the first
    "jan|january|januar; feb|february|februar; mar|march|mär|märz; apr|april; may|mai; jun|june|juni; jul|july|juli; aug|august; "
    "sep|sept|september; oct|october|okt|oktober; nov|november; dec|december|dez|dezember",
    "mon|monday|mo|montag; tue|tues|tuesday|di|dienstag; wed|wednesday|mi|mittwoch; thu|thur|thurs|thursday|do|donnerstag; "
    "fri|friday|fr|freitag; sat|saturday|sa|samstag; sun|sunday|so|sonntag",
)

Levels = Mapping[str, float]


def _levels(scale: str) -> Levels:
    return {name.strip(): level for level, names in enumerate(scale.split(";")) for name in names.split("|")}


KNOWN, REPEATING, SCHOOL = tuple(map(_levels, SCALES)), tuple(map(_levels, CYCLES)), _levels(LETTERS)
ROMAN = next(levels for levels in KNOWN if "viii" in levels)


@lru_cache(maxsize=1024)  # asked for each rule of each epoch
def order_of(names: tuple[str, ...]) -> tuple[int, ...]:
    """The positions of an ordered feature's states, lowest first, without those that no order has, such as "missing".

    () where the names have no order: not all are numbers, or words of one scale, each on a level of its own.
    """
    plain = [_plain(name) for name in names]
    inside = [k for k, name in enumerate(plain) if name not in OUTSIDE]
    order = _order([plain[k] for k in inside], KNOWN) if len(inside) >= LEAST else ()
    return tuple(inside[at] for at in order)


def guessed_order(names: Iterable[str]) -> tuple[str, ...]:
    """The names of at least two categories, lowest first; () where they have no order."""
    names = sorted(names)
    plain = [_plain(name) for name in names]
    order = _order(plain, (*KNOWN, *_lettered(plain), *REPEATING, *_graded(plain), *_numbered(plain))) if len(names) > 1 else ()
    return tuple(names[at] for at in order)


def known_order(names: Iterable[str]) -> tuple[str, ...]:
    """The same of at least three categories whose names leave no doubt: without cycles such as months, and without numbers before
    words of no scale, which may number anything.
    """
    names = sorted(names)
    plain = [_plain(name) for name in names]
    if len(names) < LEAST:
        return ()
    scales = (*KNOWN, *_lettered(plain), *_graded(plain, GRADES), *_numbered(plain, known=True))
    return tuple(names[at] for at in _order(plain, scales))


def _order(plain: list[str], scales: Iterable[Levels]) -> tuple[int, ...]:
    """The positions of the names by the first scale that has each on a level of its own; () for none."""
    scales = tuple(scales)
    bare = _without_last_word(plain)
    for names, levels in ((plain, _numbers(plain)), *((plain, one) for one in scales), *((bare, one) for one in scales)):
        if not names or names[0] not in levels:
            continue
        known = [levels[name] for name in names if name in levels]
        if len(set(known)) == len(plain) and not np.isnan(known).any():
            return tuple(np.argsort(known).tolist())
    return ()


def _without_last_word(plain: list[str]) -> list[str]:
    """Names such as "low risk" and "high risk" without the word that all end with; [] where they end differently."""
    last = {name.rpartition(" ")[2] for name in plain}
    return [name.rpartition(" ")[0] for name in plain] if len(last) == 1 else []


def _plain(name: str) -> str:
    """A name as the tables above have it."""
    return re.sub(r"[\s_]+", " ", name.strip().casefold())


def _numbers(names: Sequence[str]) -> dict[str, float]:
    """The number of each plain name that is one, as its level, and of a range its lower end.

    None unless two are plain numbers or one is a range, or "more" and "over" mean nothing.
    """
    levels, plain = {}, 0
    units = {unit.strip() for name in names for unit in UNIT.findall(name)}
    for name in names:
        bare = UNIT.sub("", name).replace("$", "").replace("€", "") if len(units - ENDINGS) < 2 else name
        if (between := RANGE.fullmatch(bare)) and float(between["low"]) < float(between["high"]):
            levels[name] = float(between["low"])
            plain += 2
        elif match := NUMBER.fullmatch(bare):
            above = bool(match["over"] or match["more"]) - bool(match["under"])
            levels[name] = float(match["number"]) + above * 1e-9
            plain += not above
        elif name in ENDS:
            levels[name] = ENDS[name]
    return levels if plain >= 2 else {}


def _lettered(plain: Sequence[str]) -> Iterator[Levels]:
    """School grades such as "B+", or A to D and F."""
    if any(name in SCHOOL and name.endswith(("+", "-")) for name in plain) or set(plain) == set("abcdf"):
        yield SCHOOL


def _graded(plain: Sequence[str], of: frozenset[str] | None = None) -> Iterator[Levels]:
    """The numbers after one word, such as "grade 3". of: the words that count; None for any."""
    found = [GRADED.fullmatch(name) for name in plain]
    matches = [match for match in found if match]
    whats = {match["what"] for match in matches}
    if len(matches) == len(plain) and len(whats) == 1 and (of is None or whats <= of):
        yield {
            name: float(match["level"] or ROMAN.get(match["roman"], "nan")) for name, match in zip(plain, matches, strict=True)
        }


def _numbered(plain: Sequence[str], *, known: bool = False) -> Iterator[Levels]:
    """The numbers before words, such as "1-low". known: only where the words have this order themselves."""
    found = [NUMBERED.fullmatch(name) for name in plain]
    matches = [match for match in found if match]
    if len(matches) == len(plain):
        levels = {name: float(match["number"]) for name, match in zip(plain, matches, strict=True)}
        words = [match["name"].strip() for match in sorted(matches, key=lambda match: int(match["number"]))]
        if not known or _order(words, KNOWN) in (tuple(range(len(words))), tuple(reversed(range(len(words))))):
            yield levels
