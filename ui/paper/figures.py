"""The paper's figures: ours, drawn from the data that come with the app, beside what the paper prints or says of its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from tsk_core.errors import DataError
from tsk_study.figures import FIGURES, Claim, Figure, FigureOptions, Panel, Series, read_figure, repetitions
from ui.charts.drawn import GREY, HEIGHT, blank_chart, palette
from ui.page.presenter import presenting
from ui.paper.controls import draw_chart
from ui.platform.caches import Results, once_per_server
from ui.text import in_chart, in_markdown

_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "x")
_LEVELS = ("dot", "dash", "dashdot", "longdash")
_OF_LEGEND = 60  # pixels, of many names
Range = tuple[float, float] | None
_Of = Results | tuple[str, int, int]  # results, or the folder of a figure's file with its version
_ABOUT = (
    "This page does not have the images of the paper's figures. Fig. 4 is drawn twice, since the paper's "
    "tables have its data; for the others, what the paper's text says stands beside what ours show. “Yes” means that the 95% "
    "interval of the mean difference over the splits (corrected, since splits share rows) lies above 0; or, where pairs of "
    "trainings or datasets are counted, that it is so in at least three quarters of them."
)


class _Shown(NamedTuple):
    """A figure's data, and what is made of them."""

    frame: pd.DataFrame
    panels: list[Panel]
    claims: list[Claim]


def figures_section(results: Results, folder: Path) -> None:
    """Draw all figures. results: as ``read_results`` gives them; folder: what ``make_figures`` wrote."""
    if not presenting():
        st.caption(_ABOUT)
    for figure in FIGURES.values():
        st.subheader(figure.heading, anchor=False)
        try:
            of = _source(figure, results, folder)
            shown = _shown(figure.name, of)
        except DataError as error:
            st.caption(in_markdown(error))
            continue
        _draw(figure, shown, of)


def _source(figure: Figure, results: Results, folder: Path) -> _Of:
    """What the figure is drawn from."""
    if figure.from_results:
        return results
    path = folder / f"{figure.name}.csv"
    status = path.stat() if path.exists() else None
    return (str(folder), status.st_mtime_ns, status.st_size) if status else (str(folder), 0, 0)


@once_per_server(entries=16)
def _shown(name: str, of: _Of) -> _Shown:
    figure = FIGURES[name]
    frame = read_figure(Path(of[0]), name) if isinstance(of, tuple) else figure.compute(FigureOptions(of), lambda share: None)
    return _Shown(frame, figure.panels(frame), figure.claims(frame))


@once_per_server(entries=32)
def _charts(name: str, of: _Of, *, dark: bool) -> list[tuple[Panel, go.Figure]]:
    """The panels as charts, the paper's beside ours; they take half a second, and are the same for all visitors."""
    figure, ours = FIGURES[name], _shown(name, of).panels
    panels = [(one, None) for one in ours] if figure.paper is None else _beside(figure.panels(figure.paper()), ours)
    return [(panel, chart(panel, dark=dark).update_yaxes(range=y_range)) for panel, y_range in panels]


def _draw(figure: Figure, shown: _Shown, of: _Of) -> None:
    frame, ours, claims = shown
    if figure.note:
        st.caption(in_markdown(figure.note))
    text = st.container()
    charts = _charts(figure.name, of, dark=st.context.theme.type == "dark")
    for start in range(0, len(charts), 2):
        for k, column in enumerate(st.columns(2)[: len(charts) - start], start):
            with column:
                _panel(*charts[k], key=f"{figure.name}_{k}")
    with st.container() if presenting() else text:  # a hall sees the charts first
        _claims(claims)
    st.caption(_repetitions(frame, ours))
    _data(figure, frame, ours)


def _claims(claims: Sequence[Claim]) -> None:
    """What the paper says, beside ours; nothing for a figure that it does not have."""
    if not claims:
        return
    table = pd.DataFrame(claims).set_axis(["The paper", "Ours", "In numbers"], axis=1)
    st.table(table.map(in_markdown), border="horizontal", hide_index=True, alt="What the paper says, and whether ours shows it")


def _beside(paper: Sequence[Panel], ours: Sequence[Panel]) -> list[tuple[Panel, Range]]:
    """Each of the paper's panels and ours, with the range that both have."""
    panels: list[tuple[Panel, Range]] = []
    for pair in zip(paper, ours, strict=True):
        values = [value for panel in pair for one in panel.series for value in one.mean]
        room = 0.05 * (max(values) - min(values))
        shared = min(values) - room, max(values) + room
        panels += [
            (panel._replace(title=f"{panel.title}, {who}"), shared) for who, panel in zip(("paper", "ours"), pair, strict=True)
        ]
    return panels


def _panel(panel: Panel, drawn: go.Figure, key: str) -> None:
    st.markdown(f"**{in_markdown(panel.title)}**")
    alt = f"{panel.title}: {panel.y_title} by {panel.x_title}. The numbers are in the table below."
    draw_chart(drawn, f"figure_{key}", alt)


def _repetitions(frame: pd.DataFrame, panels: list[Panel]) -> str:
    """How many trainings each mean is of, and what the bands are."""
    text = repetitions(frame)
    spread = [one for panel in panels for one in panel.series if one.sd]
    bars = " and bars" if any(len(one.x) == 1 for one in spread) else ""
    return text + (f"; bands{bars}: ± one SD over the splits." if spread else ".")


def _data(figure: Figure, frame: pd.DataFrame, ours: list[Panel]) -> None:
    """The numbers as a table, and the files."""
    with st.expander("Numbers and files", key=f"figure_data_{figure.name}", on_change="rerun") as box:
        if not box.open:
            return
        for panel in ours:
            st.markdown(f"**{in_markdown(panel.title)}**")
            st.dataframe(numbers(panel), hide_index=True, width="content", alt=f"The numbers of the chart {panel.title}")
        with st.container(horizontal=True):
            for label, mime, make in (
                ("CSV", "text/csv", lambda: frame.to_csv(index=False)),
                ("SVG", "image/svg+xml", lambda: figure.draw(frame)),
            ):
                st.download_button(
                    f"Download {label}", make, f"{figure.name}.{label.lower()}", mime, on_click="ignore",
                    key=f"figure_{label}_{figure.name}",
                )  # fmt: skip


def numbers(panel: Panel) -> pd.DataFrame:
    """A row for each x, a column for each line: its mean, and its SD if any. Where lines differ in x: a row per point."""
    if not _is_shared(panel):
        return _one_a_row(panel)
    columns: dict[str, list[Any]] = {panel.x_title: list(panel.series[0].x)}
    for one in panel.series:
        sds = [""] * len(one.x) if one.sd is None else [f" ± {sd:.2g}" for sd in one.sd]
        columns[one.name] = [f"{mean:.4g}{sd}" for mean, sd in zip(one.mean, sds, strict=True)]
    return pd.DataFrame(columns)


def _is_shared(panel: Panel) -> bool:
    """Whether all lines have the same x."""
    return all(list(one.x) == list(panel.series[0].x) for one in panel.series)


def _one_a_row(panel: Panel) -> pd.DataFrame:
    rows = [
        (one.name, f"{x:.3g}", f"{mean:.4g}" + ("" if one.sd is None else f" ± {one.sd[at]:.2g}"))
        for one in panel.series
        for at, (x, mean) in enumerate(zip(one.x, one.mean, strict=True))
    ]
    rows += [(name, "", f"{height:.4g}") for height, name in panel.levels]
    return pd.DataFrame(rows, columns=["", panel.x_title, panel.y_title])


def chart(panel: Panel, *, dark: bool) -> go.Figure:
    """A panel for the page."""
    figure = blank_chart(panel.x_title, panel.y_title, dark)
    colours = palette(dark)
    # the variants of Compare have these colours too
    for one in panel.series:
        colour = colours[one.style]
        if panel.kind == "bars":
            figure.add_bar(
                x=one.x, y=one.mean, name=one.name, marker={"color": colour, "line": {"width": 0}}, hovertemplate="%{y:.1%}"
            )
        else:
            _line(figure, one, colour)
    for at, (height, name) in enumerate(panel.levels):
        line = {"color": GREY, "dash": _LEVELS[at % len(_LEVELS)], "width": 1.5}
        figure.add_hline(y=height, line=line, name=in_chart(name), showlegend=True)
    if not _is_shared(panel):
        figure.update_layout(hovermode="closest", height=HEIGHT + _OF_LEGEND)
    if panel.log_x:
        sizes = list(panel.x_ticks or panel.series[0].x)
        figure.update_xaxes(type="log", tickmode="array", tickvals=sizes, ticktext=[f"{size:g}" for size in sizes])
    if panel.kind == "bars":
        figure.update_layout(bargap=0.05, yaxis_tickformat=".0%")
    return figure


def _line(figure: go.Figure, one: Series, colour: str) -> None:
    red, green, blue = bytes.fromhex(colour[1:])
    band = {"line": {"width": 0}, "mode": "lines", "hoverinfo": "skip", "showlegend": False, "legendgroup": one.name}
    bar = one.sd is not None and len(one.x) == 1  # a band of one point would not be seen
    if one.sd is not None and not bar:
        low, high = ([mean + sign * sd for mean, sd in zip(one.mean, one.sd, strict=True)] for sign in (-1, 1))
        figure.add_scatter(x=one.x, y=low, **band)
        figure.add_scatter(x=one.x, y=high, fill="tonexty", fillcolor=f"rgba({red},{green},{blue},0.15)", **band)
    mode = "markers" if len(one.x) == 1 else "lines+markers"
    figure.add_scatter(
        x=one.x, y=one.mean, name=one.name, legendgroup=one.name, mode=mode, customdata=one.sd,
        error_y={"array": one.sd, "thickness": 1.5, "width": 5} if bar else None,
        line={"color": colour, "dash": _DASHES[one.style % len(_DASHES)]}, marker={"symbol": _SYMBOLS[one.style], "size": 7},
        hovertemplate="%{y:.4g}" if one.sd is None else "%{y:.4g} ± %{customdata:.2g}",
    )  # fmt: skip
