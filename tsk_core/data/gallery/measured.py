"""Settings that did well on a table of the gallery: measured by ``python -m benchmarks.gallery``, which prints these lines.

A table has a line if the best of a dozen settings had a higher test BCA than the paper's in at least four of five splits, and by
at least 0.005 on average.
"""

from tsk_core.data.gallery.entry import MeasuredSettings

__all__ = ["MEASURED"]

MEASURED: dict[str, MeasuredSettings] = {
    "wine": MeasuredSettings("paper", {"firing": "htsk"}, "Test BCA 0.984 against 0.960 with Paper, better in 4 of 5 splits."),
    "breast_cancer": MeasuredSettings(
        "paper", {"firing": "htsk"}, "Test BCA 0.975 against 0.961 with Paper, better in 5 of 5 splits."
    ),
    "digits": MeasuredSettings("paper", {"firing": "htsk"}, "Test BCA 0.975 against 0.942 with Paper, better in 5 of 5 splits."),
    "moons": MeasuredSettings(
        "recommended", {"shrinkage": 0.0}, "Test BCA 0.969 against 0.957 with Paper, better in 5 of 5 splits."
    ),
    "circles": MeasuredSettings(
        "paper", {"ur_weight": 10.0}, "Test BCA 0.992 against 0.986 with Paper, better in 4 of 5 splits."
    ),
    "blobs": MeasuredSettings(
        "recommended", {"class_weight": "balanced"}, "Test BCA 0.891 against 0.586 with Paper, better in 5 of 5 splits."
    ),
    "waveform21": MeasuredSettings(
        "recommended", {"n_rules": 4}, "Test BCA 0.862 against 0.820 with Paper, better in 5 of 5 splits."
    ),
}
