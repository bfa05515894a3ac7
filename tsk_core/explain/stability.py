"""How often rules come back when the model is trained again, and how often by chance; and which rules count as the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.epoch import never_fires
from tsk_core.explain import measures
from tsk_core.explain.antecedents import LONGEST, Unit, flatness, keep, listed, restricting, units_of
from tsk_core.explain.exported import ExportedColumn, ExportedRules, Label, RuleArrays, firing_levels, is_zero_order, read_rules
from tsk_core.explain.labels import FuzzyPartition, terms_of, words_of
from tsk_core.explain.measures import evenly_spaced
from tsk_core.explain.records import read, written
from tsk_core.numbers import whole_percent

if TYPE_CHECKING:
    import pandas as pd

# Rules of two trainings matched by what they say, and how often chance alone matches them.
#
# Two rules are alike as far as their conditions speak of the same terms, such as "petal length is low", and conclude the same
# class: Dice 2|A∩B| / (|A| + |B|) of their sets of terms, else 0. "low or medium" is two terms, a list of categories one each;
# the terms are those of one table for all trainings, and a condition of "any value" has none. Rules of two trainings are matched
# one to one so that the sum of Dice is largest (the assignment problem). Dice between sets of rules as stability: SIRUS (Bénard,
# Biau, Da Veiga and Scornet 2021), where rules count as equal or not.
#
# Chance: the same match with the other training's conditions dealt out anew over its rules, while every rule keeps its class and
# its number of conditions, and each feature its conditions; what stands together in a rule is left to chance. Which features a
# rule has is drawn with these margins by the curveball algorithm (Strona, Nappo, Boccacci, Fattorini and San-Miguel-Ayanz 2014).
# The index is corrected for chance in the way of Hubert and Arabie (1985), who permute with fixed margins.


ALIKE = 0.5  # least Dice of a rule that counts as the same one
DRAWS = 50  # of chance, for each training; fewer where both have many rules, whose match takes long
PAIRS = 50_000  # of rules, in all draws of one training
_ROUNDS = 10  # in each of which every rule trades features with another


@dataclass(frozen=True)
class Sentence:
    """What a rule says. index: its number in the model, from 1. conclusion: the class that it names.

    conditions: the terms of each, (feature, term), the least flat condition first; none where it says "any value".
    """

    index: int
    conditions: tuple[tuple[tuple[str, str], ...], ...]
    conclusion: Label


def dice(first: Sequence[Sentence], second: Sequence[Sentence], most: int) -> np.ndarray:
    """Dice of each two rules with their first ``most`` conditions, (len(first), len(second)); 0 for different conclusions."""
    a, b, _ = _as_rows(first, second, most)
    return _dice(a, b, _same_class(first, second))


def matched(similar: np.ndarray) -> np.ndarray:
    """The Dice of each first rule to the one it is matched with, 0 without one, (len(first),). similar: of ``dice``."""
    from scipy.optimize import linear_sum_assignment  # here, because the import is slow

    found = np.zeros(len(similar))
    rows, columns = linear_sum_assignment(similar, maximize=True)
    found[rows] = similar[rows, columns]
    return found


def by_chance(
    first: Sequence[Sentence],
    second: Sequence[Sentence],
    most: int,
    random: np.random.Generator,
    draws: int | None = None,
) -> np.ndarray:
    """``matched`` for each deal of the second rules' conditions, (draws, len(first)); the mean over them estimates chance.

    draws: default 50, and fewer, but at least 10, where both have many rules.
    """
    a, b, feature = _as_rows(first, second, most)
    draws = draws or min(DRAWS, max(DRAWS // 5, PAIRS // max(1, len(first) * len(second))))
    features = range(int(feature.max(initial=-1)) + 1)
    has = np.array([b[:, feature == f].any(1) for f in features], bool).reshape(len(features), len(second)).T
    owners, nothing = _deals(has, draws, random), np.zeros((1, b.shape[1]))
    dealt = np.concatenate([b, nothing])[owners[:, :, feature], np.arange(b.shape[1])]  # (draws, len(second), terms)
    return np.array([matched(similar) for similar in _dice(a, dealt, _same_class(first, second))])


def _deals(has: np.ndarray, draws: int, random: np.random.Generator) -> np.ndarray:
    """The rule whose condition on a feature a rule gets, int (draws, rules, features); the number of rules where it gets none.

    has: which rule has a condition on which feature, bool (rules, features). In each draw every rule gets as many conditions as
    it has there, and each condition goes to one rule.
    """
    rules, features = has.shape
    dealt, draw, pairs = np.tile(has, (draws, 1, 1)), np.arange(draws)[:, None], rules // 2
    for _ in range(_ROUNDS if pairs else 0):  # each of two rules gets at random as many of what only one of them has as it had
        order = random.permuted(np.tile(np.arange(rules), (draws, 1)), axis=1)
        first, second = order[:, :pairs], order[:, pairs : 2 * pairs]
        mine, theirs = dealt[draw, first], dealt[draw, second]
        rank = np.where(mine != theirs, random.random(mine.shape), 2.0).argsort(-1).argsort(-1)
        gets = (mine != theirs) & (rank < (mine & ~theirs).sum(-1, keepdims=True))
        dealt[draw, first], dealt[draw, second] = (mine & theirs) | gets, (mine | theirs) & ~gets
    owners = np.full(dealt.shape, rules)
    for f in range(features):
        conditions = np.tile(np.flatnonzero(has[:, f]), (draws, 1))
        owners[:, :, f][dealt[:, :, f]] = random.permuted(conditions, axis=1).ravel()
    return owners


def _dice(a: np.ndarray, b: np.ndarray, same: np.ndarray) -> np.ndarray:
    """a: (rules, terms). b: (…, other rules, terms). same: whether they conclude the same. Returns (…, rules, other rules)."""
    sizes = a.sum(-1)[:, None] + b.sum(-1)[..., None, :]
    common = a @ np.swapaxes(b, -1, -2)
    similar = np.divide(2 * common, sizes, out=np.ones_like(sizes), where=sizes > 0)  # two rules without conditions are alike
    return np.where(same, similar, 0.0)


def _same_class(first: Sequence[Sentence], second: Sequence[Sentence]) -> np.ndarray:
    same = [[sentence.conclusion == other.conclusion for other in second] for sentence in first]
    return np.array(same, bool).reshape(len(first), len(second))


def _as_rows(first: Sequence[Sentence], second: Sequence[Sentence], most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which terms each rule speaks of, 0 or 1, (rules, terms that occur) for both; and the feature of each term, from 0."""
    terms: dict[tuple[str, str], int] = {}
    for sentence in (*first, *second):
        for term in _terms(sentence, most):
            terms.setdefault(term, len(terms))
    features = {feature: k for k, feature in enumerate(dict.fromkeys(feature for feature, _ in terms))}
    both = []
    for sentences in (first, second):
        rows = np.zeros((len(sentences), len(terms)))
        for k, sentence in enumerate(sentences):
            rows[k, [terms[term] for term in _terms(sentence, most)]] = 1.0
        both.append(rows)
    return both[0], both[1], np.array([features[feature] for feature, _ in terms], int)


def _terms(sentence: Sentence, most: int) -> list[tuple[str, str]]:
    return [term for condition in sentence.conditions[:most] for term in condition]


MOST_ROWS = 5_000
UNLIKELY = 0.05

Words = Callable[[str], FuzzyPartition]


@dataclass(frozen=True)
class Stability:
    """In how many of ``of`` trainings each rule comes back.

    times, dice: by the rule's number: trainings whose matched rule has Dice ≥ 0.5, and mean Dice to the match (0 without one).
    chance: the times that chance alone gives, in [0, of]. base: mean Dice of the whole sets, 2 Σ Dice / (R + R'), in [0, 1];
    base_chance: the same by chance.
    """

    of: int
    times: dict[int, int]
    chance: dict[int, float]
    dice: dict[int, float]
    base: float
    base_chance: float

    def times_text(self, rule: int, what: str) -> str:
        """Such as "3 of 10 seeds (by chance: 1.2 of 10)". what: the trainings are, in the plural."""
        return f"{self.times[rule]} of {self.of} {what} (by chance: {self.chance[rule]:.1f} of {self.of})"

    def beyond_chance(self, rule: int) -> bool:
        """Whether so many times have a probability below 5% by chance: of a binomial distribution with the mean ``chance``."""
        from scipy import stats  # imported here: the import is slow

        return bool(stats.binom.sf(self.times[rule] - 1, self.of, min(1.0, self.chance[rule] / self.of)) < UNLIKELY)


@dataclass(frozen=True)
class RuleStability:
    """seeds: trainings on the same rows with other seeds. bootstrap: with the same seed, on rows drawn with replacement.

    most: how many conditions of each rule were compared, at most.
    """

    seeds: Stability
    bootstrap: Stability
    most: int

    def text_of(self, rule: int) -> str:
        """How often a rule comes back; "" for a rule that never fires, which says nothing."""
        if rule not in self.seeds.times:
            return ""
        return (
            f"It comes back in {self.seeds.times_text(rule, 'trainings with other seeds')}, and in"
            f" {self.bootstrap.times_text(rule, 'bootstrap samples')}; at most {self.most} conditions per rule are compared."
        )

    @property
    def text(self) -> str:
        """The rule base as a whole."""
        seeds, bootstrap = self.seeds, self.bootstrap
        return (
            f"Trained again with {seeds.of} other seeds, the rules are {whole_percent(seeds.base)} alike (by chance"
            f" {whole_percent(seeds.base_chance)}); on {bootstrap.of} bootstrap samples {whole_percent(bootstrap.base)} (by"
            f" chance {whole_percent(bootstrap.base_chance)}). 100% means the same rules each time, by the mean Dice of matched"
            f" rules with at most {self.most} conditions each."
        )

    def __str__(self) -> str:
        """The base as a whole, then each rule."""
        return "\n".join([self.text, *(f"Rule {rule}: {self.text_of(rule)}" for rule in self.seeds.times)])

    def to_frame(self) -> "pd.DataFrame":
        """One row per rule that fires: for both kinds of trainings how often it comes back, and by chance, and of how many."""
        import pandas as pd

        kinds = {"seeds": self.seeds, "bootstrap samples": self.bootstrap}
        columns = {
            name: values
            for kind, found in kinds.items()
            for name, values in (
                (f"comes back ({kind})", list(found.times.values())),
                (f"comes back by chance ({kind})", [found.chance[rule] for rule in found.times]),
                (f"of {kind}", found.of),
            )
        }
        return pd.DataFrame({"rule": list(self.seeds.times), **columns, "conditions compared, at most": self.most})

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        values: dict[str, object] = written(self, RuleStability)
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "RuleStability":
        """What ``to_dict`` returned; ValueError for anything else."""
        made: RuleStability = read(values, cls)
        return made


def words_by_feature(columns: list[ExportedColumn], Z: np.ndarray) -> Words:
    """The partition of each number feature over the training rows Z (N, D), for all trainings alike. columns: of Z."""
    words = words_of(Z)
    at = {column["feature"]: d for d, column in enumerate(columns) if column["kind"] == "number"}
    return lambda feature: words(at[feature])


def sentences_of(source: ExportedRules, Z: np.ndarray, y_index: np.ndarray, words: Words) -> list[Sentence]:
    """What the rules that fire say, in the order of the model.

    source: exported rules. Z, y_index: training rows in their columns (N, D), and class positions (N,); at most 5,000 are used.
    words: the same for all trainings that are compared.
    """
    arrays, rows = read_rules(source), evenly_spaced(len(Z), MOST_ROWS)
    low, high, Z, y_index = Z.min(0), Z.max(0), Z[rows], y_index[rows]
    firing = firing_levels(source, Z)
    if is_zero_order(arrays):  # whose text names the class of its highest score
        says = arrays.consequents[:, :, 0].argmax(1)
    else:
        says = measures.confidence(firing, y_index, len(arrays.classes)).argmax(1)
    units = units_of(arrays.columns)
    flat = flatness(arrays, Z, units)
    kept = keep(flat, restricting(arrays, units, low, high), LONGEST)
    sentences = []
    for r in np.flatnonzero(~never_fires(firing.mean(0), len(firing))).tolist():
        ranked = sorted(np.flatnonzero(kept[r]).tolist(), key=lambda u: (flat[r, u], u))
        conditions = tuple(_condition(arrays, r, units[u], words) for u in ranked)
        sentences.append(Sentence(r + 1, conditions, arrays.classes[int(says[r])]))
    return sentences


def compare(reference: Sequence[Sentence], trainings: Sequence[Sequence[Sentence]], most: int) -> Stability:
    """How often the rules of ``reference`` come back in other trainings, with at most ``most`` conditions each."""
    found, chance = np.zeros((len(trainings), len(reference))), np.zeros(len(reference))
    bases, bases_chance, random = [], [], np.random.default_rng(0)  # the same each time
    for t, sentences in enumerate(trainings):
        found[t], dealt = matched(dice(reference, sentences, most)), by_chance(reference, sentences, most, random)
        chance += (dealt >= ALIKE).mean(0)
        total = len(reference) + len(sentences)
        bases.append(2 * found[t].sum() / total if total else 1.0)
        bases_chance.append(2 * dealt.sum(1).mean() / total if total else 1.0)
    numbers = [sentence.index for sentence in reference]
    return Stability(
        of=len(trainings),
        times={r: int(n) for r, n in zip(numbers, (found >= ALIKE).sum(0), strict=True)},
        chance={r: float(n) for r, n in zip(numbers, chance, strict=True)},
        dice={r: float(found[:, k].mean()) if len(trainings) else 0.0 for k, r in enumerate(numbers)},
        base=float(np.mean(bases)) if bases else 0.0,
        base_chance=float(np.mean(bases_chance)) if bases else 0.0,
    )


def stability_of(
    reference: Sequence[Sentence], seeds: Sequence[Sequence[Sentence]], bootstrap: Sequence[Sequence[Sentence]], most: int
) -> RuleStability:
    """Both kinds of trainings compared with the reference."""
    return RuleStability(compare(reference, seeds, most), compare(reference, bootstrap, most), most)


def _condition(arrays: RuleArrays, r: int, unit: Unit, words: Words) -> tuple[tuple[str, str], ...]:
    if unit.states:
        chosen = listed(arrays, r, unit)
        return tuple((unit.feature, f"= {name}") for name, yes in zip(unit.states, chosen, strict=True) if yes)
    (d,) = unit.columns
    terms = terms_of(float(arrays.centers[r, d]), float(arrays.sigmas[r, d]), words(unit.feature))
    return tuple((unit.feature, term) for term in terms)
