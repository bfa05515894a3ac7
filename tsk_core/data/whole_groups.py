"""Whole groups dealt out to the parts of a table, a test set or folds: classes in proportion as far as whole groups allow.

A class with two groups or more has one on each side of a split; a class with a single one is trained on.
"""

from collections.abc import Sequence

import numpy as np

__all__ = ["fold_of_groups", "groups_to_test"]

_MANY = 1000  # groups; above this, balancing each gains nothing
_DRAWS = 5  # of which the one with the best balance is taken: more would let the seed decide less


def groups_to_test(groups: np.ndarray, codes: np.ndarray, test_size: float, rng: np.random.Generator) -> np.ndarray:
    """Whole groups that hold about the share of the rows, bool (N,). groups: (N,), at least two. codes: the class of each row."""
    if _are_many(groups):
        return _test_of_many(groups, codes, test_size, rng)
    return _balanced(groups, codes, [1 - test_size, test_size], rng) == 1


def fold_of_groups(groups: np.ndarray, codes: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """The fold of each row, (N,), from 0; arguments as for ``groups_to_test``, with at least as many groups as folds."""
    if _are_many(groups):
        return _order(groups, codes, rng)[0] % n_folds
    return _balanced(groups, codes, [1 / n_folds] * n_folds, rng)


def _are_many(groups: np.ndarray) -> bool:
    n_groups = len(np.unique(groups))
    return n_groups > _MANY or 2 * n_groups > len(groups)


def _balanced(groups: np.ndarray, codes: np.ndarray, shares: Sequence[float], rng: np.random.Generator) -> np.ndarray:
    """The part of each row, (N,): of a few random deals the one whose parts come closest to their share of each class."""
    index = np.unique(groups, return_inverse=True)[1]
    n_groups, n_classes = index.max() + 1, codes.max() + 1
    counts = np.bincount(index * n_classes + codes, minlength=n_groups * n_classes).reshape(n_groups, n_classes)
    wanted = np.outer(shares, counts.sum(0))
    deals = [_dealt(counts, wanted, rng) for _ in range(_DRAWS)]
    best: np.ndarray = min(deals, key=lambda part: _imbalance(part, counts, wanted))
    return best[index]


def _dealt(counts: np.ndarray, wanted: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The part of each group: in random order, each goes where it brings the classes closest to what is wanted.

    counts: (groups, C) rows. wanted: (parts, C). Groups with more rows than the smallest part wants come first, or a part could
    get one of them as its last. No part stays empty, and none without a class of which there are groups enough.
    """
    sizes, n_parts = counts.sum(1), len(wanted)
    part, lacking = np.full(len(counts), -1), wanted.astype(float)
    has = np.zeros(wanted.shape, bool)  # whether a part has a group of a class
    left = (counts > 0).sum(0)  # groups of each class that are not dealt yet
    shuffled = rng.permutation(len(counts))
    order = shuffled[np.argsort(sizes[shuffled] <= wanted.sum(1).min(), kind="stable")]
    for n_left, group in zip(range(len(order), 0, -1), order, strict=True):
        own, empty = counts[group] > 0, ~has.any(1)
        last = own & (left <= (~has).sum(0))  # classes that have no more groups than parts lack one
        closer = (np.abs(lacking) - np.abs(lacking - counts[group])).sum(1)
        needs = empty & (n_left <= empty.sum()), (last & ~has).sum(1), closer, rng.random(n_parts)
        most = int(np.lexsort(needs[::-1])[-1])
        part[group] = most
        lacking[most] -= counts[group]
        left -= own
        has[most] |= own
    return part


def _imbalance(part: np.ndarray, counts: np.ndarray, wanted: np.ndarray) -> float:
    """Rows that would have to move for each part to have its share of each class. counts: (groups, C). wanted: (parts, C)."""
    have = np.zeros(wanted.shape)
    np.add.at(have, part, counts)
    return float(np.abs(have - wanted).sum())


def _order(groups: np.ndarray, codes: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """An order in which groups may be dealt out, so that each hand has classes and sizes of groups in proportion.

    Returns the place of each row's group in that order, (N,), and the class that most rows of a group have by place, (groups,).
    """
    index = np.unique(groups, return_inverse=True)[1]
    sizes, n_classes = np.bincount(index), codes.max() + 1
    classes = np.bincount(index * n_classes + codes, minlength=len(sizes) * n_classes).reshape(-1, n_classes).argmax(1)
    classes = rng.permutation(n_classes)[classes]  # so that no hand always gets the odd groups of a class
    order = np.lexsort((rng.random(len(sizes)), -sizes, classes))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[index], classes[order]


def _test_of_many(groups: np.ndarray, codes: np.ndarray, test_size: float, rng: np.random.Generator) -> np.ndarray:
    """About the share of the groups of each class and size, evenly spaced in the order of dealing; every class keeps a group."""
    place, classes = _order(groups, codes, rng)
    steps = np.floor(np.arange(len(classes) + 1) * test_size + rng.random())
    tested = np.diff(steps) > 0
    for label in np.unique(classes):
        of_class = np.flatnonzero(classes == label)
        if tested[of_class].all():
            tested[rng.choice(of_class)] = False
    if not tested.any():
        several = np.flatnonzero(np.bincount(classes)[classes] > 1)
        tested[rng.choice(several if len(several) else len(classes))] = True
    return tested[place]
