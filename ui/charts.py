"""The charts of a run: declared here once, for the page, the exported report and the browser's client.

A new chart is a line of ``CHARTS`` and a function in ``ui/client``: page, report and presenter mode show it in its tab, and the
tests of all charts cover it.
"""

from dataclasses import dataclass

__all__ = ["CHARTS", "CHART_TABS", "MISTAKES", "RULES", "SAMPLES", "TABS", "Chart", "views_of"]

MISTAKES, SAMPLES, RULES = "Mistakes", "Samples", "Rules"
CHART_TABS = {  # tab of charts -> what it shows
    "Training": "The loss, accuracy and gradients by epoch.",
    "Firing": "The average firing level of each rule over the training rows.",
    "Entropy": "Whether one rule or many rules fire for a row.",
    MISTAKES: "The predicted classes of the test rows, and whether the predicted probabilities are calibrated.",
}
TABS = (*CHART_TABS, SAMPLES, RULES, "Predict", "Export")  # all tabs of a run


@dataclass(frozen=True)
class Chart:
    """name: of the function in ``ui/client/<module>`` that makes the figure. title: for readers of the screen and of files.

    fields: what the figure reads of an epoch (``ui.live.message.FIELDS``). metrics: what it reads of a run's evaluation; where a
    run has none of it, the report leaves the chart out.
    """

    name: str
    tab: str
    title: str
    module: str
    fields: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()

    @property
    def declaration(self) -> dict[str, str]:
        """What the client needs to load the chart."""
        return {"name": self.name, "title": self.title, "module": self.module}


CHARTS = {
    chart.name: chart
    for chart in (
        Chart("loss", "Training", "Training loss", "lines.js", ("stage", "epoch", "ce", "ur", "l2")),
        Chart(
            "accuracy", "Training", "Accuracy", "lines.js",
            ("stage", "epoch", "rcaTrain", "bcaTrain", "rcaTest", "bcaTest", "bcaValidation"),
        ),
        Chart(
            "gradients", "Training", "L1 norms of the gradients", "lines.js",
            ("stage", "epoch", "gradAntecedents", "gradConsequents"),
        ),
        Chart("firing", "Firing", "Average firing level of each rule", "firing.js", ("stage", "epoch", "firing")),
        Chart("heat", "Firing", "Firing level of each rule by epoch", "firing.js", ("stage", "epoch", "firing")),
        Chart("entropy", "Entropy", "Entropy of the firing levels", "entropy.js", ("stage", "epoch", "firing", "entropy")),
        Chart("confusion", MISTAKES, "Confusion matrix", "evaluation.js", metrics=("confusion",)),
        Chart("reliability", MISTAKES, "Reliability diagram", "evaluation.js", metrics=("reliability", "ece")),
    )
}  # fmt: skip
_CONTROLS = {"Firing": ("order",)}  # tab -> views above its charts


def views_of(tab: str) -> tuple[str, ...]:
    """The views of a tab by name, in their order: its controls, then its charts."""
    return *_CONTROLS.get(tab, ()), *(chart.name for chart in CHARTS.values() if chart.tab == tab)
