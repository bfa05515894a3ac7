"""A comparison on the page: as it goes and at its end; progress, verdict, table, charts."""

from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import VALIDATED_VARIANTS, Plan
from tsk_core.jobs import Status
from ui.charts.score_explanations import VERDICT, verdict_line
from ui.compare.controls import COMPARE_OPENED, Wanted
from ui.compare.texts import Verdict, band_text, factors, in_common, lines_below, variant_table, verdict
from ui.experiments import Collected, experiment_panel
from ui.live import Feed, Part, feed, feed_of_session, mount
from ui.platform.caches import once_per_session
from ui.platform.session import Key
from ui.text import in_markdown

COMPARE_PLAN = Key["Plan | None"]("compare_plan")  # as the page was last drawn
COMPARE_UR_WEIGHTS = Key[dict[int, float]]("compare_ur_weights", make=dict)  # λ of each training that ended, by its number


# The charts of a comparison by tab, drawn by the browser, and the messages that feed them.
#
# "comparison"  what the charts need besides the records, see ``about``; the browser forgets all other experiments
# "records"     the list of its records, see ``Collected``: epochs and points of its trainings


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
    COMPARE_OPENED.set(int(number))


SHOWN = 6  # pairs in sight; the others are folded


def comparison_panel(wanted: Wanted, dataset: Dataset, status: Status) -> Collected:
    """Draw it; while it runs, a fragment draws the words again, and the browser updates its charts. Returns what is known."""
    plan = wanted.planned
    COMPARE_PLAN.set(plan)

    def draw(known: Collected) -> None:
        COMPARE_UR_WEIGHTS.set({number: point["ur_weight"] for number, point in known.points.items()})
        _words(wanted, dataset, known)
        send(plan, dataset, known, wanted.band, status.ended)

    collected = experiment_panel(plan, dataset, status, "compare_words", draw)
    charts(dataset)
    if status.ended and len(plan.variants) > 1 and collected.points:
        with st.expander("The verdict on RCA", key="verdict_rca"):
            of_rca = verdict_of(plan, collected.points, wanted.score, "rca")
            _sentences(of_rca)
            st.caption(in_markdown(of_rca.rests_on))
    return collected


verdict_of = once_per_session(entries=4)(verdict)  # of two scores, for two states of the page


def _words(wanted: Wanted, dataset: Dataset, collected: Collected) -> None:
    """The verdict, what it rests on, how λ was chosen, what the paper found, and the table of the variants."""
    if not collected.points:
        st.caption("The verdict appears when the first trainings have ended.")
        return
    verdict = verdict_of(wanted.planned, collected.points, wanted.score)
    with st.container(key="verdict", gap="xsmall"):
        _sentences(verdict)
        lines = lines_below(wanted.planned, dataset, collected.points, wanted.score)
        lines = [verdict.rests_on, *lines] if verdict.pairs else lines
        if lines:
            st.caption("  \n".join(map(in_markdown, lines)))
        if verdict.pairs:
            with st.popover("Explain", key="verdict_explained", width="content"):
                st.markdown(VERDICT.markdown([in_markdown(line) for line in _numbers(wanted, verdict)]))
    table = variant_table(wanted.planned, collected.points, wanted.score)
    st.table(table.map(in_markdown), border="horizontal", hide_index=True, alt="The variants: scores, dead rules, seconds")


def _numbers(wanted: Wanted, verdict: Verdict) -> list[str]:
    """The formula of each pair in sight with its numbers."""
    variants, shown = wanted.planned.variants, verdict.pairs[:SHOWN]
    return [verdict_line(f"{variants[pair.a].name} − {variants[pair.b].name}", pair.difference, pair.ratio) for pair in shown]


def _sentences(verdict: Verdict) -> None:
    """One line for each pair; the clear ones are bold."""
    if verdict.standing:
        st.caption(in_markdown(verdict.standing))
    if together := in_common(verdict):
        st.markdown(f"**{in_markdown(together)}**")
    lines = [in_markdown(pair.measured if together else pair.sentence) for pair in verdict.pairs]
    lines = [f"**{line}**" if pair.clear else line for pair, line in zip(verdict.pairs, lines, strict=True)]
    if lines:
        st.markdown("  \n".join(lines[:SHOWN]))
    if len(lines) > SHOWN:
        with st.expander(f"The other {len(lines) - SHOWN} pairs"):
            st.markdown("  \n".join(lines[SHOWN:]))
