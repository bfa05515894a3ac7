"""The download buttons of a run. Each file is made only when its button is pressed."""

import streamlit as st

from tsk_core.data import to_csv
from tsk_core.explain import FORMATS, RuleBaseSummary
from tsk_core.explain.formats import Format
from tsk_core.numbers import percent
from tsk_core.runs import model_archive
from ui.platform.engine import get_engine
from ui.runs.rules import conditions
from ui.runs.run_view import RunView
from ui.runs.stability import stability
from ui.text import in_markdown

_FULL, _SHORT = "Full model", "Rules as shown, shortened"


def rule_downloads(run: RunView, summary: RuleBaseSummary | None, *, explained: bool = False) -> None:
    """The rules in one of the formats, with one button. summary: the rules as shown on the page, None where there are none.

    explained: say below what the format is good for and which rules it holds, and let those of a format that predicts be chosen;
    else this stands in the help, and such a format holds the full model.
    """
    place, length = "export" if explained else "rules", conditions()  # here: a file is made in a thread without the session
    rules = run.result.classifier.to_dict()
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
    if name == "csv" and (stable := stability(run, length)) is not None:
        return to_csv(summary.to_frame().merge(stable.to_frame(), on="rule", how="left"))
    text = summary.export(name) if shortened or FORMATS[name].readable else run.result.classifier.export(name)
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")


def _held(summary: RuleBaseSummary | None, chosen: Format, shortened: bool) -> str:
    """Which rules the file holds, and how far they are the model."""
    if summary is not None and summary.rule_list is not None:
        return "It holds the final rules, which are the whole model."
    if chosen.readable:
        return "It holds the final rules as they are printed, and says how often they agree with the full model."
    if not shortened:
        return "It predicts as the full model does."
    agree = f"which agree with the full model on {percent(summary.fidelity)} of the {summary.evaluated_on}"
    return f"It predicts as the shortened rules do, {agree}."


def model_download(run: RunView) -> None:
    """The folder that ``TSKClassifier.load`` reads."""
    st.download_button(
        "Download model",
        lambda: model_archive(run.result),
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
