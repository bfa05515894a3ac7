"""The charts of a comparison by tab, drawn by the browser, and the messages that feed them.

"comparison"  what the charts need besides the records, see ``about``; the browser forgets all other experiments
"records"     the list of its records, see ``Collected``: epochs and points of its trainings
"""

from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import VALIDATED_VARIANTS, Plan
from ui.compare.texts import band_text, factors
from ui.experiments import Collected
from ui.live import Feed, Part, feed, feed_of_session, mount
from ui.platform import session

TABS = {  # tab -> its charts
    "Training": ("compareBca", "compareRca", "compareLoss"),
    "Gradients": ("compareConsequents", "compareAntecedents"),
    "Firing": ("compareFiring",),
    "Entropy": ("compareEntropy",),
    "Mistakes": ("compareConfusion",),
    "Plane": ("comparePlane",),
}
PLANE = "Plane"
_USUAL = ("none", "bn", "ur", "ur-bn", "gbn", "rbn", "ur-gbn", "ur-rbn")  # in the order of the colours


def charts(dataset: Dataset) -> None:
    """The epoch slider and the tabs; outside any fragment."""
    mount("compareBar", key="compare_bar")
    names = [name for name in TABS if name != PLANE or has_plane(dataset)]
    for tab, name in zip(st.tabs(names, key="compare_tabs"), names, strict=True):
        with tab:
            mount(*TABS[name], key=f"compare_{name.lower()}", calls={"opened": _open})


def has_plane(dataset: Dataset) -> bool:
    """Whether all features are two numbers, so that classes and rules can be drawn in their plane."""
    return dataset.X.shape[1] == 2 and all(kind.kind in "iuf" for kind in dataset.X.dtypes)


def send(plan: Plan, dataset: Dataset, collected: Collected, band: str, ended: bool) -> None:
    """Send the browser what it lacks; may stand in a fragment."""
    feed(comparison_parts(feed_of_session(), plan, dataset, collected, band, ended))


def comparison_parts(to: Feed, plan: Plan, dataset: Dataset, collected: Collected, band: str, ended: bool) -> list[Part]:
    """What a browser lacks of a comparison."""
    name = f"{plan.key[:8]}{collected.version}"
    to.only(("records",), (name,))
    return [
        to.value("comparison", {"experiment": name, **about(plan, dataset, collected, band, ended)}),
        to.entries("records", name, "", collected.log, collected.entry),
    ]


def about(plan: Plan, dataset: Dataset, collected: Collected, band: str, ended: bool) -> dict[str, Any]:
    """What the charts need besides the records, see ``CompareAbout`` in ``client/types.d.ts``."""
    known = zip(plan.variants, colours([variant.key for variant in plan.variants]), strict=True)
    return {
        "variants": [{"name": variant.name, "colour": colour} for variant, colour in known],
        "seeds": plan.seeds, "splits": plan.splits, "firstSeed": plan.first_seed,
        "epochs": max(variant.config.max_epochs for variant in plan.variants),
        "band": band, "bandText": band_text(plan, collected.points, band),
        "factors": factors(plan, collected.points),
        "classes": [str(name) for name in dataset.classes], "ended": ended,
    }  # fmt: skip


def colours(keys: list[str]) -> list[int]:
    """The index of a colour for each variant: the named ones always have the same, others those that are left.

    With λ by validation a variant has the colour of its name, unless that is compared, too.
    """
    plain = [VALIDATED_VARIANTS.get(key, key) for key in keys]
    names = [key if name in keys else name for key, name in zip(keys, plain, strict=True)]
    left = [at for at, name in enumerate(_USUAL) if name not in names]
    return [_USUAL.index(name) if name in _USUAL else left.pop(0) for name in names]


def _open(number: int) -> None:
    """Remember which training was clicked; the page opens it when it is drawn."""
    session.COMPARE_OPENED.set(int(number))
