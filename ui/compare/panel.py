"""A comparison on the page: as it goes and at its end; progress, verdict, table, charts."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import VALIDATED_VARIANTS, Plan, ur_weight_notes
from tsk_core.jobs import Status
from tsk_core.live import Stream, as_json
from ui.charts.score_explanations import VERDICT, verdict_line
from ui.compare.controls import COMPARE_OPENED, Wanted
from ui.compare.texts import Points, Verdict, band_text, factors, in_common, lines_below, variant_table, verdict
from ui.experiments import Collected, ExperimentSubject, experiment_panel
from ui.live import mount
from ui.live.subjects import ticket
from ui.platform.caches import once_per_session
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.text import in_markdown

COMPARE_PLAN = Key["Plan | None"]("compare_plan")  # as the page was last drawn
COMPARE_RUN = Key[str]("compare_run", "")  # the run of this comparison


# The charts of a comparison by tab, drawn by the browser, and what it follows for them.
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
    """The epoch slider and the tabs."""
    mount("compareBar", key="compare_bar")
    names = [name for name in TABS if name != PLANE or has_plane(dataset)]
    for tab, name in zip(st.tabs(names, key="compare_tabs"), names, strict=True):
        with tab:
            mount(*TABS[name], key=f"compare_{name.lower()}", calls={"opened": _open})


def has_plane(dataset: Dataset) -> bool:
    """Whether all features are two numbers, so that classes and rules can be drawn in their plane."""
    return dataset.X.shape[1] == 2 and all(kind.kind in "iuf" for kind in dataset.X.dtypes)


class ComparisonSubject(ExperimentSubject):
    """A comparison. score: of the verdict while it goes on. band: of the charts."""

    def __init__(self, run: str, score: str, band: str) -> None:
        super().__init__(run)
        self._wanted = Wanted(self.plan, score, band)
        self._classes = list(get_engine().store.open(run).about()["dataset"].get("classes", ()))
        self._sent = 0  # records of the log
        self._verdict: tuple[int, dict[str, Any]] | None = None

    def _show(self, status: Status) -> None:
        collected = self.collected
        put_comparison(self.stream, self.plan, self._classes, collected, self._wanted.band, ended=status.ended, since=self._sent)
        self._sent = len(collected.log)

    def _words(self) -> dict[str, Any]:
        points = self.collected.points
        if self._verdict is None or self._verdict[0] != len(points):
            self._verdict = len(points), _words_live(self._wanted, points)
        return self._verdict[1]


def put_comparison(
    stream: Stream, plan: Plan, classes: Sequence[str], collected: Collected, band: str, *, ended: bool, since: int = 0
) -> None:
    """Put what the browser draws of a comparison into a stream. since: records of the log that are there."""
    name = plan.key[:16]
    stream.set("comparison", {"experiment": name, **about(plan, classes, collected, band, ended)})
    stream.extend("records", name, collected.version, (as_json(collected.entry(record)) for record in collected.log[since:]))


def _words_live(wanted: Wanted, points: Points) -> dict[str, Any]:
    """The lines and the table below the bar."""
    if not points:
        return {"lines": [{"text": "The verdict appears when the first trainings have ended.", "bold": False}]}
    found = verdict(wanted.planned, points, wanted.score)
    together = in_common(found)
    lines = [{"text": found.standing, "bold": False}, {"text": together, "bold": True}]
    lines += [{"text": pair.measured if together else pair.sentence, "bold": pair.clear} for pair in found.pairs[:SHOWN]]
    notes = found.rests_on if found.pairs else "", " ".join(ur_weight_notes(wanted.planned, points.values()))
    lines += [{"text": note, "bold": False} for note in notes]
    table = variant_table(wanted.planned, points, wanted.score)
    return {
        "lines": [line for line in lines if line["text"]],
        "table": {"columns": list(table.columns), "rows": table.astype(str).to_numpy().tolist()},
    }


def about(plan: Plan, classes: Sequence[str], collected: Collected, band: str, ended: bool) -> dict[str, Any]:
    """What the charts need besides the records, see ``CompareAbout`` in ``client/types.d.ts``."""
    known = zip(plan.variants, colours([variant.key for variant in plan.variants]), strict=True)
    return {
        "variants": [{"name": variant.name, "colour": colour} for variant, colour in known],
        "seeds": plan.seeds, "splits": plan.splits, "firstSeed": plan.first_seed,
        "epochs": max(variant.config.max_epochs for variant in plan.variants),
        "band": band, "bandText": band_text(plan, collected.points, band),
        "factors": factors(plan, collected.points),
        "classes": [str(name) for name in classes], "ended": ended,
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
    """Draw it; while it runs, the browser draws what is new of it. Returns what is known."""
    plan = wanted.planned
    COMPARE_PLAN.set(plan)
    COMPARE_RUN.set(status.run)
    subject = ticket("comparison", run=status.run, score=wanted.score, band=wanted.band)
    collected = experiment_panel(
        plan, dataset, status, "compare_words", lambda known: _words(wanted, dataset, known), subject
    )  # fmt: skip
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
