"""The charts of a comparison by tab, drawn by the browser, and the messages that feed them."""

from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import NAMED_VARIANTS, Plan
from ui.compare.texts import band_text, factors
from ui.experiments import Collected, message, send_all_again
from ui.experiments.naming import experiment_name
from ui.live import feed_comparison, mount
from ui.platform import session

__all__ = ["TABS", "about", "charts", "colours", "send"]

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
            mount(*TABS[name], key=f"compare_{name.lower()}")


def has_plane(dataset: Dataset) -> bool:
    """Whether all features are two numbers, so that classes and rules can be drawn in their plane."""
    return dataset.X.shape[1] == 2 and all(kind.kind in "iuf" for kind in dataset.X.dtypes)


def send(plan: Plan, dataset: Dataset, collected: Collected, band: str, ended: bool) -> None:
    """Send the browser what it lacks; may stand in a fragment."""
    part = message(experiment_name(plan, dataset), collected)
    dark = st.context.theme.type == "dark"
    feed_comparison({**part, "about": about(plan, dataset, collected, band, ended), "dark": dark}, send_all_again, _open)


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
    """The index of a colour for each variant: the named ones always have the same, others those that are left."""
    left = [at for at, name in enumerate(_USUAL) if name not in keys]
    return [_USUAL.index(key) if key in NAMED_VARIANTS else left.pop(0) for key in keys]


def _open(number: int) -> None:
    """Remember which training was clicked; the page opens it when it is drawn."""
    session.COMPARE_OPENED.set(number)
