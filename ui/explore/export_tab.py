"""The tab Export: a report, the rules, the model, figures, and what repeats the run."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from tsk_core.data import to_csv
from tsk_core.errors import RunError
from tsk_core.explain import FORMATS, RuleBaseSummary
from tsk_core.explain.formats import Format
from tsk_core.numbers import percent
from tsk_core.runs import methods_text, model_archive
from ui.platform.drawing import show_errors
from ui.platform.engine import get_engine
from ui.report.run_report import report
from ui.runs.cost_threshold import decision_of, link_values
from ui.runs.run_view import RunView
from ui.runs.side_tasks import (
    conditions,
    full_address,
    known_stability,
    reproduction_panel,
    rule_base_summary,
    stability,
)
from ui.text import in_markdown

# The download buttons of a run. Each file is made only when its button is pressed.


_FULL, _SHORT = "Full model", "Rules as shown, shortened"


def rule_downloads(run: RunView, summary: RuleBaseSummary | None, *, explained: bool = False) -> None:
    """The rules in one of the formats, with one button. summary: the rules as shown on the page, None where there are none.

    explained: say below what the format is good for and which rules it holds, and let those of a format that predicts be chosen;
    else this stands in the help, and such a format holds the full model.
    """
    place, length = "export" if explained else "rules", conditions()  # here: a file is made in a thread without the session
    stability(run, length)  # so that the thread knows it
    rules = run.trained.classifier.to_dict()
    refusals = {name: one.refusal(rules) for name, one in FORMATS.items() if one.installed}
    offered = [name for name, why in refusals.items() if not why and (summary is not None or not FORMATS[name].readable)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Format", offered, format_func=lambda name: FORMATS[name].label, key=f"rule_format_{place}", width=220,
            label_visibility="visible" if explained else "collapsed",
        )  # fmt: skip
        chosen, shortened = FORMATS[name], False
        if explained and summary is not None and summary.rule_list is None and not chosen.readable:
            which = st.selectbox("Which rules", (_FULL, _SHORT), key="rule_format_which", width=320)
            shortened = which == _SHORT
        help_text = in_markdown(f"{chosen.help} {_held(summary, chosen, shortened)}")
        st.download_button(
            "Download rules", lambda: rules_file(run, summary, length, name, shortened), chosen.file,
            chosen.media_type, on_click="ignore", help=None if explained else help_text,
        )  # fmt: skip
    if explained:
        st.caption(help_text)
        for why in dict.fromkeys(filter(None, refusals.values())):
            st.caption(in_markdown(why))


def rules_file(run: RunView, summary: RuleBaseSummary | None, length: int, name: str, shortened: bool) -> bytes:
    """The content of the file in the format of this name; CSV also has how often each rule came back, where that is known."""
    if name == "csv" and summary is not None and (stable := known_stability(run, length)) is not None:
        return to_csv(summary.to_frame().merge(stable.to_frame(), on="rule", how="left"))
    as_shown = summary if shortened or FORMATS[name].readable else None
    text = run.trained.classifier.export(name) if as_shown is None else as_shown.export(name)
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")


def _held(summary: RuleBaseSummary | None, chosen: Format, shortened: bool) -> str:
    """Which rules the file holds, and how far they are the model."""
    if summary is not None and summary.rule_list is not None:
        return "It holds the final rules, which are the whole model."
    if chosen.readable:
        return "It holds the final rules as they are printed, and says how often they agree with the full model."
    if not shortened or summary is None:
        return "It predicts as the full model does."
    agree = f"which agree with the full model on {percent(summary.fidelity)} of the {summary.evaluated_on}"
    return f"It predicts as the shortened rules do, {agree}."


def model_download(run: RunView) -> None:
    """The folder that ``TSKClassifier.load`` reads."""
    st.download_button(
        "Download model",
        lambda: model_archive(run.trained),
        f"model-{run.id[:8]}.zip",
        "application/zip",
        on_click="ignore",
    )


def archive_download(run: RunView) -> None:
    """Everything that the run left."""
    length = conditions()
    st.download_button(
        "Download everything", lambda: get_engine().store.archive(run.id, length, named=run.owned), f"run-{run.id[:8]}.zip",
        "application/zip", on_click="ignore",
        help="A zip with the settings, epochs, numbers, predictions, model, rules, methods section, and the script that repeats"
        " the run. It contains the true class of each test row, but no other cells of the table.",
    )  # fmt: skip


LOADING = """\
from tsk_core import TSKClassifier
from tsk_core.data import {names}
print(TSKClassifier.load("model").predict(read_table("NEW.csv"{options}).frame))
"""


def export_tab(run: RunView, comparison: RunView | None) -> None:
    """All downloads of a run that ended. comparison: the run that the report shows dashed."""
    if not run.status.ended:
        st.info("When training ends, this tab has the report, the rules, the model, and the Python that repeats the run.")
        return
    if run.result is not None:
        _report(run, comparison)
        _methods(run)
        _rules(run)
        _model(run)
        _title("Figures")
        st.caption("The buttons SVG and PNG below each chart, here and in the report, save it on white at a size for a paper.")
    _title("Reproduce this run")
    reproduction_panel(run)
    if run.result is not None:
        archive_download(run)


def _title(text: str) -> None:
    st.subheader(text, anchor=False)


def _report(run: RunView, comparison: RunView | None) -> None:
    _title("Report")
    st.caption(
        "One HTML file with interactive charts, scores, settings, rules, samples whose values can be changed, and the Python that"
        " repeats the run. It opens in any browser and needs no internet."
    )
    with_rows = st.checkbox(
        "Include up to 1,000 rows of the table", bool(run.trained.dataset.get("gallery")), key="report_rows",
        help="Readers can then select and change these rows, and anyone with the file can read them. Otherwise the file has no"
        " rows, and readers change a typical row. Rows can be included only if the table is available here.",
    )  # fmt: skip
    # What the session knows is asked for here: a file is made in a thread without it.
    chosen, length = decision_of(run), conditions()
    link = full_address(get_engine().store.reproduction(run.id).link) + "".join(
        f"&{urlencode({key: value})}" for key, value in link_values(chosen).items()
    )
    st.download_button(
        "Download report (HTML)",
        lambda: report(run, comparison, link, length, datetime.now(UTC), with_rows=with_rows, decision=chosen),
        f"report-{run.id[:8]}.html", "text/html", on_click="ignore", type="primary",
    )  # fmt: skip


def _rules(run: RunView) -> None:
    _title("Rules")
    summary: RuleBaseSummary | None = None
    try:
        summary = rule_base_summary(run, conditions())
    except RunError as error:
        text = str(error)
    else:
        text = " ".join(summary.measured_text.splitlines())
        if summary.rule_list is None:
            text += " Change the number of conditions on the tab Rules."
    st.caption(in_markdown(text))
    rule_downloads(run, summary, explained=True)


def _methods(run: RunView) -> None:
    """The methods paragraph to copy, folded."""
    with st.expander("Methods section"), show_errors():
        st.caption(
            "Data, split, model, settings, results with intervals, baselines, versions and the paper to cite. Edit it as needed."
            " The button Download everything adds a table of all rows with their part, and of the test rows' predictions."
        )
        with st.container(height=320):
            st.code(methods_text(run.trained), language=None, wrap_lines=True)


def loading(identity: Mapping[str, Any]) -> str:
    """The Python that predicts a file like the one of this run. identity: the run's dataset, as its config.json has it."""
    options = ", ".join(f"{name}={value!r}" for name, value in identity.get("reading", {}).items())
    if not options:
        return LOADING.format(names="read_table", options="")
    return LOADING.format(names="ReadOptions, read_table", options=f", ReadOptions({options})")


def _model(run: RunView) -> None:
    _title("Model")
    st.caption(
        "A zip of the folder model: numbers as safetensors, everything else as JSON. Unpack it; these lines then predict new rows"
        " as the tab Predict does. The model cleans them as it cleaned the training table:"
    )
    st.code(loading(run.trained.dataset), language="python", wrap_lines=True)
    model_download(run)
