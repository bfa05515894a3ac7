"""Rules of two trainings matched by what they say, and how often chance alone matches them.

Two rules are alike as far as their conditions speak of the same terms, such as "petal length is low", and conclude the same
class: Dice 2|A∩B| / (|A| + |B|) of their sets of terms, else 0. "low or medium" is two terms, a list of categories one each; the
terms are those of one table for all trainings, and a condition of "any value" has none. Rules of two trainings are matched one
to one so that the sum of Dice is largest (the assignment problem). Dice between sets of rules as stability: SIRUS (Bénard, Biau,
Da Veiga and Scornet 2021), where rules count as equal or not.

Chance: the same match with the other training's conditions dealt out anew over its rules, while every rule keeps its class and
its number of conditions, and each feature its conditions; what stands together in a rule is left to chance. Which features a
rule has is drawn with these margins by the curveball algorithm (Strona, Nappo, Boccacci, Fattorini and San-Miguel-Ayanz 2014).
The index is corrected for chance in the way of Hubert and Arabie (1985), who permute with fixed margins.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tsk_core.explain.exported import Label

__all__ = ["ALIKE", "Sentence", "by_chance", "dice", "matched"]

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
