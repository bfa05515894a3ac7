"""The tables shipped with scikit-learn, with their own feature and class names."""

from collections.abc import Callable
from typing import Any

import pandas as pd
from sklearn import datasets

from tsk_core.data.finding import Finding
from tsk_core.data.gallery.entry import Card, Entry
from tsk_core.data.gallery.measured import MEASURED

__all__ = ["BUNDLED"]

_PIXELS = [f"pixel row {r} column {c}" for r in range(1, 9) for c in range(1, 9)]


def _entry(card: Card, cited: str, load: Callable[[], Any], names: list[str] | None = None, rules: int | None = None) -> Entry:
    def loader() -> tuple[pd.DataFrame, tuple[Finding, ...]]:
        bunch = load()
        frame = pd.DataFrame(bunch.data, columns=names or list(bunch.feature_names))
        labels = pd.Series(bunch.target).map(dict(enumerate(map(str, bunch.target_names))))
        return frame.assign(**{"class": labels}), ()

    source = f"UCI Machine Learning Repository, as shipped with scikit-learn: {cited}"
    return Entry(*card, "bundled", source, "CC BY 4.0", loader, MEASURED.get(card.name), rules)


BUNDLED = (
    _entry(Card("iris", "Iris", "150 flowers of three species, by the size of petals and sepals.",
           "First steps: three rules that are short enough to read, and an explanation of every flower.",
           (50, 50, 50), 4), "Iris (Fisher, 1936)", datasets.load_iris, rules=3),
    _entry(Card("wine", "Wine", "178 wines from three growers, by 13 chemical measurements.",
           "Few rows: all training rows are soon classified correctly, but only 96% of the test rows.",
           (71, 59, 48), 13), "Wine (Aeberhard and Forina, 1991)", datasets.load_wine),
    _entry(Card("breast_cancer", "Breast cancer", "569 tumours, malignant or benign, by 30 measurements of cell nuclei.",
           "Rules that a physician has to justify: what each says, and how much accuracy a shorter text loses.",
           (357, 212), 30), "Breast Cancer Wisconsin (Diagnostic) (Wolberg et al., 1995)", datasets.load_breast_cancer),
    _entry(Card("digits", "Digits", "1,797 handwritten digits as images of 8 by 8 pixels.",
           "Many features: one rule has 97% of an image's firing; HTSK spreads it and raises test RCA from 0.945 to 0.973.",
           (183, 182, 182, 181, 181, 180, 179, 178, 177, 174), 64),
           "Optical Recognition of Handwritten Digits (Alpaydin and Kaynak, 1998)", datasets.load_digits, _PIXELS),
)  # fmt: skip
