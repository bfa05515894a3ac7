"""Settings that did well on a table of the gallery: measured by ``python -m benchmarks.gallery``, which prints these lines.

A table has a line if the best of a dozen settings, chosen on five splits, had a higher test BCA than the paper's on ten others,
with an interval of the difference above 0.
"""

from tsk_core.data.gallery.entry import MeasuredSettings

__all__ = ["MEASURED"]

MEASURED: dict[str, MeasuredSettings] = {
    "digits": MeasuredSettings(
        "paper",
        {"firing": "htsk"},
        "Test BCA 0.969, 0.945 with Paper: +0.024 (95% interval +0.005 to +0.043, 10 splits).",
    ),
    "blobs": MeasuredSettings(
        "recommended",
        {"class_weight": "balanced"},
        "Test BCA 0.825, 0.588 with Paper: +0.237 (95% interval +0.112 to +0.362, 10 splits).",
    ),
    "waveform21": MeasuredSettings(
        "recommended",
        {"n_rules": 4},
        "Test BCA 0.860, 0.825 with Paper: +0.035 (95% interval +0.022 to +0.048, 10 splits).",
    ),
}
