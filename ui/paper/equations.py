"""The paper's equations with the numbers of a trained model and one of its test rows in them."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.data import load_dataset
from tsk_core.errors import TSKError
from tsk_core.jobs import Status
from tsk_core.runs import Record
from tsk_study import Result, WorkedExample, final_config
from ui.live.task_subjects import task_row
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.runs.side_tasks import NOTE, find_task, metrics_of, newest_of, start_for
from ui.text import in_markdown, shortened

EQUATIONS_SPLIT = Key[int]("equations_split")
EQUATIONS_ROW = Key[int]("equations_row", 0)


_KEY = "paper_equations"
_ROW = "row"
MOST_ROWS = 50  # test rows to choose among


def equations_section(results: dict[tuple[str, str, int], Result], dataset: str, algorithm: str) -> None:
    """Choose a split and a row, train, and read the equations. results: all results. dataset, algorithm: of the cell chosen."""
    splits = {split: result for (name, by, split), result in results.items() if (name, by) == (dataset, algorithm)}
    fitting = {split: config for split, result in splits.items() if (config := _config(result)) is not None}
    if not fitting:
        st.info(in_markdown(_no_model(algorithm, bool(splits))))
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key=_KEY):
        split = st.selectbox("Split", sorted(fitting), key=EQUATIONS_SPLIT.name, width=100)
        row = int(st.number_input("Test row", 0, MOST_ROWS - 1, 0, key=EQUATIONS_ROW.name, width=120))
        key = dataset, algorithm, split, row
        status = _status(key, fitting[split])
        active = None if status is None or status.ended else status
        st.button(
            "Train and fill in the numbers",
            type="primary",
            disabled=active is not None,
            on_click=_begin,
            args=(dataset, algorithm, fitting),
        )
    if note := NOTE(_KEY).pop():
        st.warning(in_markdown(note))
    if active is not None:
        task_row(active, f"{_KEY}_progress", "Training", stop_label="Stop")
    elif status is not None and status.state == "finished":
        _equations(get_engine().store.open(status.run).metrics(), splits[split])
    elif status is not None and status.message:
        st.caption(in_markdown(status.message))
    else:
        st.caption("It trains the final model of this split again, which takes seconds on a small dataset such as Vehicle.")


def formulas(worked: dict[str, Any]) -> list[tuple[str, list[str], str]]:
    """(title, lines of LaTeX, note) of each equation. worked: as ``work_out`` gives it. Notes are plain text."""
    parts = [_firing(worked), _normalised(worked), _output(worked), _loss(worked), _uniform(worked)]
    return parts + ([_merge(worked)] if worked["merge"] else [])


def number(value: float) -> str:
    """Four significant digits, as LaTeX; small and large ones with a power of ten."""
    if value and not 1e-3 <= abs(value) < 1e5:
        mantissa, power = f"{value:.3e}".split("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}"
    return f"{value:.4g}"


def signed(value: float) -> str:
    """With its sign, to be added to what stands before it."""
    return f"{'-' if value < 0 else '+'} {number(abs(value))}"


def _firing(worked: dict[str, Any]) -> tuple[str, list[str], str]:
    lines = [r"f_r(\bm{x}) = \exp\Big(-\sum_{d=1}^{D} \frac{(x_d - m_{r,d})^2}{2\sigma_{r,d}^2}\Big)".replace(r"\bm", r"\mathbf")]
    for rule in worked["rules"]:
        terms = [
            rf"\frac{{({number(feature['x'])} {signed(-feature['m'])})^2}}{{2 \cdot {number(feature['sigma'])}^2}}"
            for feature in rule["features"]
        ]
        exponent = rf"-{' - '.join(terms)} {signed(rule['z_rest'])}"
        value = number(2.718281828459045 ** rule["z"])
        lines.append(rf"f_{{{rule['r']}}} = \exp\Big({exponent}\Big) = \exp({number(rule['z'])}) = {value}")
    named = ", ".join(f"x{feature['d']}" for feature in worked["rules"][0]["features"])
    note = (
        f"The two strongest rules of {worked['R']}. Of {worked['D']} features the two that lower each firing level most are"
        f" written out ({named} in the first line); the last term of the exponent is the sum of the others."
    )
    return "Firing level", lines, note


def _normalised(worked: dict[str, Any]) -> tuple[str, list[str], str]:
    lines = [r"\overline{f}_r = \frac{f_r}{\sum_{i=1}^{R} f_i}"]
    total = number(2.718281828459045 ** worked["log_sum_of_firing"])
    for rule in worked["rules"]:
        value = number(2.718281828459045 ** rule["z"])
        lines.append(rf"\overline{{f}}_{{{rule['r']}}} = \frac{{{value}}}{{{total}}} = {number(rule['firing'])}")
    note = (
        "Computed as exp(z − log Σ exp z), which cannot underflow. The authors' code divides by Σ f + 10⁻⁸ instead: where"
        " hardly any rule fires, its levels add up to less than 1."
    )
    return "Normalised firing level", lines, note


def _output(worked: dict[str, Any]) -> tuple[str, list[str], str]:
    lines = [r"y^c(\mathbf{x}) = \sum_{r=1}^{R} \overline{f}_r\, y_r^c(\mathbf{x})"]
    for at, c in enumerate(worked["ranked"]):
        terms = " + ".join(rf"{number(rule['firing'])} \cdot ({number(rule['y'][at])})" for rule in worked["rules"])
        lines.append(rf"y^{{{c + 1}}} = {terms} {signed(worked['shared_rest'][at])} = {number(worked['scores'][c])}")
    names = " and ".join(f"{c + 1}, {shortened(worked['classes'][c], 30)}" for c in worked["ranked"])
    note = (
        f"The classes with the highest scores: {names}. The last term is the sum over the other"
        f" {worked['R'] - len(worked['rules'])} rules. The model's own prediction, with batch normalisation merged, is"
        f" {number(worked['merged_scores'][worked['ranked'][0]])} for the first: the same number."
    )
    return "Output", lines, note


def _loss(worked: dict[str, Any]) -> tuple[str, list[str], str]:
    true = worked["true"]
    probability = worked["probabilities"][true]
    lines = [
        r"\ell = -\log \frac{\exp y^{t}}{\sum_{c=1}^{C} \exp y^{c}}",
        rf"\ell = -\log {number(probability)} = {number(worked['cross_entropy'])}",
    ]
    right = "which the model predicts" if true == worked["ranked"][0] else f"but the model predicts {worked['ranked'][0] + 1}"
    note = f"t = {true + 1} is the true class of this test row, {shortened(worked['classes'][true], 30)}, {right}."
    return "Cross-entropy of this row", lines, note


def _uniform(worked: dict[str, Any]) -> tuple[str, list[str], str]:
    ur, R, C = worked["ur"], worked["R"], worked["C"]
    lines = [r"\ell_{UR} = \sum_{r=1}^{R}\Big(\frac{1}{N}\sum_{n=1}^{N}\overline{f}_r(\mathbf{x}_n) - \tau\Big)^2"]
    for name, of in (("1/R", R), ("1/C", C)):
        terms = " + ".join(rf"({number(rule['mean'])} - \tfrac{{1}}{{{of}}})^2" for rule in ur["rules"])
        lines.append(rf"\tau = {name}:\quad {terms} + \dots = {number(ur['sum'][name])}")
    total = ur["weight"] * ur["sum"]["1/C"]
    lines.append(
        rf"{number(ur['sum']['1/C'])} - {number(ur['sum']['1/R'])} = R\,(\tfrac{{1}}{{C}} - \tfrac{{1}}{{R}})^2"
        rf" = {number(ur['constant'])}"
    )
    note = (
        "The paper's text says τ = 1/C, its equation of the whole loss says 1/R. The two differ by a constant, since the"
        " normalised firing levels add up to 1, so the gradient and the trained model are the same. With λ ="
        f" {ur['weight']:g} and τ = 1/C this part of the loss is {number(total).replace(chr(92) + 'cdot', '·')} here. The"
        f" averages are over all {worked['train_rows']} training rows; training takes them over each mini-batch."
    )
    return "Uniform regularisation", lines, note


def _merge(worked: dict[str, Any]) -> tuple[str, list[str], str]:
    m, d = worked["merge"], worked["merge"]["feature"]
    r, c = m["r"], m["c"] + 1
    lines = [
        r"b'_{r,d} = \frac{\gamma_d\, b_{r,d}}{\sqrt{\sigma_d^2 + \epsilon}}, \qquad"
        r" b'_{r,0} = b_{r,0} + \sum_{d=1}^{D} b_{r,d}\,\beta_d - \sum_{d=1}^{D} b'_{r,d}\, m_d",
        rf"b'_{{{r},{d['d']}}} = \frac{{{number(d['gamma'])} \cdot ({number(d['b'])})}}{{{number(d['root'])}}}"
        rf" = {number(d['weight'])}",
        rf"b'_{{{r},0}} = {number(m['b0'])} {signed(m['b_beta'])} {signed(-m['shift'])} = {number(m['bias'])}",
        rf"y_{{{r}}}^{{{c}}}(BN(\mathbf{{x}})) = {number(m['through_bn'])}, \qquad"
        rf" b'_{{{r},0}} + \sum_d b'_{{{r},d}}\,x_d = {number(m['bias'])} {signed(m['linear'])} = {number(m['merged'])}",
        rf"\text{{as printed, with }}\beta D:\quad {number(m['b0'])} {signed(m['beta_d'])} {signed(-m['shift'])}"
        rf" {signed(m['linear'])} = {number(m['printed'])} \neq {number(m['through_bn'])}",
    ]
    note = (
        "The paper prints β D in the bias of the merged rule. It has to be Σ b β: each β is multiplied by the weight of its"
        " feature."
        " With the printed formula the last line would be this rule's score. (γ and β are one number for each feature here; the"
        " paper prints one for all, and Σ β is its β D.)"
    )
    return "Batch normalisation merged into the rule", lines, note


def _equations(worked: dict[str, Any], result: Result) -> None:
    names = ", ".join(shortened(name, 30) for name in worked["features"][:5])
    text = (
        f"Test row {worked['row']} of split {result.split}; R = {worked['R']} rules, D = {worked['D']} z-normalised features"
        f" ({names}{', …' if worked['D'] > 5 else ''}), C = {worked['C']} classes. The model's test RCA is {worked['rca']:.4f};"
        f" the study's for this split is {result.rca:.4f}."
    )
    st.caption(in_markdown(text))
    for title, lines, note in formulas(worked):
        st.markdown(f"**{title}**")
        for line in lines:
            st.latex(line, width="stretch")
        st.caption(in_markdown(note))


def _begin(dataset: str, algorithm: str, configs: Mapping[int, Any]) -> None:
    """Of the split and the row that are chosen now. configs: by split."""
    split, row = EQUATIONS_SPLIT.get(), int(EQUATIONS_ROW.get())
    if split not in configs:  # of another cell, which the page had not drawn yet
        return
    try:
        start_for(
            WorkedExample.kind,
            (dataset, algorithm, split, row),
            lambda: WorkedExample(configs[split], load_dataset(dataset), row),
        )
    except TSKError as error:
        NOTE(_KEY).set(str(error))


def _status(key: tuple[str, str, int, int], config: Any) -> Status | None:
    """Of this browser's example with this key; after a reload, of the newest one with its settings."""

    def fits(record: Record) -> bool:
        return record.dataset == key[0] and record.has_settings(config) and metrics_of(record).get("row") == key[3]

    return find_task(WorkedExample.kind, key, lambda: newest_of(WorkedExample.kind, fits))


def _config(result: Result) -> Any:
    config = final_config(result)
    plain = config is not None and config.firing == "softmax" and not config.layer_normalised and config.n_parts == 1
    return config if plain else None


def _no_model(algorithm: str, computed: bool) -> str:
    if computed:
        return f"The equations are those of the paper's own models; choose one of the MBGD family instead of {algorithm}."
    return "No split of this cell has a model yet; choose another cell in the tab Results, such as Vehicle and TSK-MBGD-UR-BN."
