"""The charts of a run: declared here once, for the page, the exported report and the browser's client.

A new chart is a line of ``_DECLARED``, a function in ``ui/client``, and what *Explain* says of it (``explanations``, and its
numbers in ``charts/numbers.js``). The page, the report and presenter mode then show it in
its tab, and the tests of all charts cover it.
"""

from dataclasses import dataclass
from typing import Any

STAGE, MISTAKES, SAMPLES, RULES = "Stage", "Mistakes", "Samples", "Rules"
CHART_TABS = {  # tab of charts -> what it shows
    "Training": "The loss, accuracy and gradients by epoch.",
    "Firing": "The average firing level of each rule over the training rows.",
    "Entropy": "Whether one rule or many rules fire for a row.",
    MISTAKES: "The predicted classes of the test rows, and whether the predicted probabilities are calibrated.",
}
TABS = (STAGE, *CHART_TABS, SAMPLES, RULES, "Predict", "Export")  # all tabs of a run


@dataclass(frozen=True)
class Chart:
    """A chart of a run.

    name: of the function in ``ui/client/<module>`` that makes the figure, and of its element and file. title: its name for screen
    readers. fields: what it reads of an epoch besides its stage and number (``Epoch`` of the client). metrics: what it reads
    of a run's evaluation; where a run has none of these, the report leaves the chart out. options: the choices below it, see
    ``ui/client/charts/chart.js``. beside: whether the comparison can be drawn beside it.
    """

    name: str
    tab: str
    title: str
    module: str
    fields: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    beside: bool = False

    @property
    def declaration(self) -> dict[str, Any]:
        """What the client needs to load the chart."""
        return {
            "name": self.name, "title": self.title, "module": self.module, "options": list(self.options), "beside": self.beside,
        }  # fmt: skip


_ACCURACIES = ("rcaTrain", "bcaTrain", "rcaTest", "bcaTest", "bcaValidation")
_LOSSES = ("ce", "ur", "l2", "shrinkage", "sharpness", "covering", "l1", "conditions")
_FIRING = ("firing", "initialFiring", "dead", "idle", "conditions")
_CURVES = "charts/training_curves.js"
_DECLARED = (
    Chart("loss", "Training", "Training loss", _CURVES, _LOSSES, options=("across", "logLoss")),
    Chart("accuracy", "Training", "Accuracy", _CURVES, _ACCURACIES),
    Chart("gradients", "Training", "L1 norms of the gradients", _CURVES, ("gradAntecedents", "gradConsequents")),
    Chart("firing", "Firing", "Average firing level of each rule", "charts/firing.js", _FIRING, beside=True),
    Chart("heat", "Firing", "Firing level of each rule by epoch", "charts/firing.js", ("firing", "initialFiring"), beside=True),
    Chart("entropy", "Entropy", "Entropy of the firing levels", "charts/firing.js", ("firing", "entropy", "conditions")),
    Chart("confusion", MISTAKES, "Confusion matrix", "charts/evaluation.js", metrics=("confusion",)),
    Chart("reliability", MISTAKES, "Reliability diagram", "charts/evaluation.js", metrics=("reliability", "ece")),
)
CHARTS = {chart.name: chart for chart in _DECLARED}
_CONTROLS = {"Firing": ("order",)}  # tab -> views above its charts


def views_of(tab: str) -> tuple[str, ...]:
    """The views of a tab by name, in their order: its controls, then its charts."""
    return *_CONTROLS.get(tab, ()), *(chart.name for chart in CHARTS.values() if chart.tab == tab)
