"""Results → Plotly figures. Each figure has a fixed height, works on light and dark, and can show an earlier run as a ghost.

Colours are Okabe and Ito's, which colour-blind people can tell apart; a ghost is always grey and dashed or hollow.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from tsk_core.epoch import Epoch

__all__ = ["CLASS_COLOURS", "HEIGHT", "accuracy_chart", "compared_chart", "entropy_chart", "firing_chart", "loss_chart"]

BLUE, ORANGE, GREEN, SKY, GREY = "#0072B2", "#D55E00", "#009E73", "#56B4E9", "#8C8C8C"
CLASS_COLOURS = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", SKY, "#B8A800", GREY)
HEIGHT = 340
_DASHES = ("solid", "dash", "dot")
Line = tuple[str, Callable[[Epoch], float | None], str, str]


def loss_chart(
    history: Sequence[Epoch], ghost: Sequence[Epoch] = (), *, epochs: int | None = None, dark: bool = False
) -> go.Figure:
    """The three parts of the loss by epoch, UR less its constant floor; ``epochs``: how far the axis reaches at least."""
    lines: list[Line] = [
        ("cross-entropy", lambda e: e.loss_ce, _blue(dark), "solid"),
        ("λ·UR less its floor", lambda e: max(0.0, e.loss_ur - e.ur_floor), ORANGE, "solid"),
        ("α·L2", lambda e: e.loss_l2, GREEN, "solid"),
    ]
    figure = _figure("Epoch", "Training loss, by its parts", dark)
    _add_lines(figure, history, ghost, lines)
    _epoch_axis(figure, history, ghost, epochs)
    figure.update_yaxes(rangemode="tozero")
    return figure


def accuracy_chart(
    history: Sequence[Epoch],
    ghost: Sequence[Epoch] = (),
    *,
    baseline: float | None = None,
    epochs: int | None = None,
    dark: bool = False,
) -> go.Figure:
    """RCA and BCA by epoch on test and training rows; ``baseline``: a logistic regression's test RCA."""
    lines: list[Line] = [
        ("RCA test", lambda e: e.rca_test, _blue(dark), "solid"),
        ("BCA test", lambda e: e.bca_test, ORANGE, "solid"),
        ("RCA train", lambda e: e.rca_train, _blue(dark), "dot"),
        ("BCA train", lambda e: e.bca_train, ORANGE, "dot"),
    ]
    figure = _figure("Epoch", "Accuracy", dark)
    _add_lines(figure, history, ghost, lines, ghosts=2)
    _epoch_axis(figure, history, ghost, epochs)
    if not history and not ghost:
        figure.update_yaxes(range=[0, 1])
    if baseline is not None:
        figure.add_hline(
            baseline,
            line={"color": GREY, "width": 1},
            annotation={"text": "logistic regression (RCA)", "font": {"size": 12, "color": GREY}},
            annotation_position="bottom right",
        )
    return figure


def compared_chart(histories: dict[str, Sequence[Epoch]], *, dark: bool = False) -> go.Figure:
    """Test RCA by epoch of several runs, a line each; keys: what the runs are called."""
    figure = _figure("Epoch", "Test RCA", dark)
    for k, (name, history) in enumerate(histories.items()):
        training = [e for e in history if e.stage == "training"] or list(history)
        line = {"color": CLASS_COLOURS[k % len(CLASS_COLOURS)], "dash": _DASHES[k // len(CLASS_COLOURS) % len(_DASHES)]}
        figure.add_scatter(x=[e.epoch for e in training], y=[e.rca_test for e in training], name=name, mode="lines", line=line)
    return figure


def firing_chart(epoch: Epoch | None, ghost: Epoch | None = None, *, dark: bool = False) -> go.Figure:
    """Mean firing level of each rule, largest first, with the line 1/R that UR pulls towards; dead rules in another colour."""
    figure = _figure("Rules, most active first", "Average firing level f̄", dark)
    if epoch is not None:
        R = len(epoch.firing)
        order = np.argsort(-epoch.firing, kind="stable")
        levels = epoch.firing[order]
        dead = levels < 0.1 / R
        figure.add_bar(
            x=np.arange(1, R + 1),
            y=levels,
            marker={"color": np.where(dead, ORANGE, _blue(dark))},
            customdata=np.column_stack([order + 1, np.where(dead, "never fires", "")]),
            hovertemplate="rule %{customdata[0]}: %{y:.4f} %{customdata[1]}<extra></extra>",
            showlegend=False,
        )
        names = [str(r + 1) for r in order] if R <= 30 else [""] * R
        figure.update_xaxes(tickvals=np.arange(1, R + 1), ticktext=names, title="Rule, most active first", showgrid=False)
        figure.add_hline(1 / R, line={"color": GREEN, "dash": "dash"}, annotation_text="1/R: all alike")
    if ghost is not None:
        figure.add_scatter(
            x=np.arange(1, len(ghost.firing) + 1),
            y=np.sort(ghost.firing)[::-1],
            mode="lines+markers",
            line={"color": GREY, "shape": "hvh", "dash": "dash"},
            marker={"symbol": "circle-open"},
            name="before",
            hovertemplate="before: %{y:.4f}<extra></extra>",
        )
    figure.update_yaxes(rangemode="tozero")
    return figure


def entropy_chart(epoch: Epoch | None, ghost: Epoch | None = None, *, dark: bool = False) -> go.Figure:
    """Share of training rows by the entropy of their firing levels: 0 is one rule alone, log R all rules alike."""
    figure = _figure("Entropy E of the firing levels", "Share of training rows", dark)
    if epoch is not None:
        middles, shares, largest = _histogram(epoch)
        figure.add_bar(
            x=middles,
            y=shares,
            width=largest / len(shares),
            marker={"color": _blue(dark), "line": {"width": 0}},
            hovertemplate="E about %{x:.2f}: %{y:.1%}<extra></extra>",
            showlegend=False,
        )
        for at, words, side in (
            (0, "0: one rule decides", "top right"),
            (math.log(len(epoch.firing)), "log R: all alike", "top left"),
        ):
            figure.add_vline(at, line={"color": GREEN, "dash": "dash"}, annotation_text=words, annotation_position=side)
    if ghost is not None:
        middles, shares, _ = _histogram(ghost)
        figure.add_scatter(
            x=middles,
            y=shares,
            mode="lines",
            line={"color": GREY, "shape": "hvh", "dash": "dash"},
            name="before",
            hovertemplate="before: %{y:.1%}<extra></extra>",
        )
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    return figure


def _blue(dark: bool) -> str:
    return SKY if dark else BLUE


def _epoch_axis(figure: go.Figure, history: Sequence[Epoch], ghost: Sequence[Epoch], epochs: int | None) -> None:
    """A fixed axis while a run trains, so that the curves grow and the picture does not jump."""
    last = max([epochs or 1, *(e.epoch for e in history[-1:]), *(e.epoch for e in ghost[-1:])])
    figure.update_xaxes(range=[0, last * 1.02])


def _histogram(epoch: Epoch) -> tuple[np.ndarray, np.ndarray, float]:
    """Middle and share of each bin, and the largest entropy."""
    largest = math.log(len(epoch.firing)) or 1.0  # one rule: a width to draw
    edges = np.linspace(0, largest, len(epoch.entropy) + 1)
    return (edges[:-1] + edges[1:]) / 2, epoch.entropy / max(1, epoch.entropy.sum()), largest


def _add_lines(
    figure: go.Figure, history: Sequence[Epoch], ghost: Sequence[Epoch], lines: list[Line], ghosts: int | None = None
) -> None:
    """One line a measure; the first ``ghosts`` of them also for the earlier run."""
    for name, value, _, _ in lines[:ghosts] if ghost else ():
        figure.add_scatter(
            x=[e.epoch for e in ghost],
            y=[value(e) for e in ghost],
            mode="lines",
            name="before",
            legendgroup="before",
            showlegend=name == lines[0][0],
            line={"color": GREY, "dash": "dash", "width": 1.5},
            hovertemplate=f"before, {name}: %{{y:.4g}}<extra></extra>",
        )
    for name, value, colour, dash in lines:
        figure.add_scatter(
            x=[e.epoch for e in history],
            y=[value(e) for e in history],
            mode="lines" if len(history) > 1 else "markers",
            name=name,
            line={"color": colour, "dash": dash, "width": 2},
            hovertemplate=f"{name}: %{{y:.4g}}<extra></extra>",
        )


def _figure(x_title: str, y_title: str, dark: bool) -> go.Figure:
    ink, grid = ("#E6E6E6", "rgba(255,255,255,0.15)") if dark else ("#262730", "rgba(0,0,0,0.12)")
    axis = {"gridcolor": grid, "zerolinecolor": grid, "linecolor": grid, "automargin": True}
    return go.Figure(
        layout={
            "height": HEIGHT,
            "margin": {"l": 8, "r": 8, "t": 48, "b": 8},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": ink, "size": 14},
            "hovermode": "x unified",
            "hoverlabel": {"bgcolor": "#262730" if dark else "#FFFFFF", "font": {"color": ink}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "xaxis": axis | {"title": x_title},
            "yaxis": axis | {"title": y_title},
            "uirevision": "keep",  # zoom and hidden lines survive an update
        }
    )
