"""The page Paper: two algorithms paired by split, their runs as a comparison, and presenter mode."""

import io
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.pages.helpers import open_page, said
from tests.pages.papers import make_results, write_study
from tsk_core.config import TrainConfig
from tsk_core.experiments import comparison_plan
from tsk_study import ALGORITHMS, DATASETS, Result, paired, paired_over_datasets, protocol_config, read_results
from ui.paper.cell import comparison_of, with_rival
from ui.paper.testing import AVERAGE, every_split, pairs_chart, pairs_sentence, pairs_table

SHIPPED = Path(__file__).parents[2] / "study" / "results" / "results.csv"
A, B = "TSK-MBGD-UR-BN", "TSK-MBGD"
ROUNDED = 0.5e-4 + 1e-9  # four places; a mean that ends in 5 at the fifth goes either way


@pytest.fixture(scope="module")
def results():
    return read_results(SHIPPED)


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """A function that opens the page by a link, with a small study: JRip has other splits than RF."""
    later = [one for one in make_results(4, ("JRip",)) if one.split == 3]
    folder = write_study(tmp_path / "study", [*make_results(3, (A, B, "RF"), ("vehicle", "magic", "satellite")), *later])
    monkeypatch.setenv("TSK_STUDY_DIR", str(folder))

    def opened(**link):
        app = open_page(page="paper", **link)
        assert not app.exception and not app.error
        return app

    return opened


def parts(results, a=A, b=B, metric="bca"):
    return paired(results, a, b, metric), paired_over_datasets(results, a, b, metric)


def numbers(cells):
    """All numbers of a row's cells, in order, from text such as "+0.0012" and "−0.0310 to +0.0100"."""
    return [float(part) for cell in cells for part in cell.replace("−", "-").split(" to ")]


@pytest.mark.parametrize("metric", ["rca", "bca"])
def test_the_table_comes_back_from_the_raw_results(results, metric):
    """With pandas and SciPy alone: means over common splits, Nadeau and Bengio's interval, and the one over datasets."""
    raw = pd.read_csv(SHIPPED).pivot_table(index=["dataset", "split"], columns="algorithm", values=metric)[[A, B]].dropna()
    shown = pairs_table(results, A, B, metric, *parts(results, metric=metric)).set_index("Dataset")
    assert list(shown.index) == [*DATASETS.values(), AVERAGE]
    for name, title in DATASETS.items():
        one, difference = raw.loc[name], raw.loc[name, A] - raw.loc[name, B]
        n = len(difference)
        low, high = stats.t.interval(0.95, n - 1, difference.mean(), difference.std() * np.sqrt(1 / n + 3 / 7))
        expected = [one[A].mean(), one[B].mean(), difference.mean(), low, high]
        assert numbers(shown.loc[title, [A, B, "Difference", "95% interval"]]) == pytest.approx(expected, abs=ROUNDED)
        assert shown.at[title, "Higher in"] == f"{(difference > 0).sum()} of {n} splits"
    means = (raw[A] - raw[B]).groupby("dataset").mean()
    low, high = stats.t.interval(0.95, len(means) - 1, means.mean(), stats.sem(means))
    assert numbers(shown.loc[AVERAGE, ["95% interval"]]) == pytest.approx([low, high], abs=ROUNDED)
    assert shown.at[AVERAGE, "Higher in"] == f"{(means > 0).sum()} of 12 datasets"


def test_the_sentence_counts_the_datasets_whose_interval_leaves_zero_out_and_the_chart_has_each(results):
    by_dataset, together = parts(results)
    text = pairs_sentence(A, B, "BCA", by_dataset, together)
    above = sum(one.low > 0 for one in by_dataset.values())
    below = sum(one.high < 0 for one in by_dataset.values())
    assert text.startswith(f"{A} minus {B}: ") and f"lies above 0 on {above} of 12, below it on {below}." in text
    assert pairs_sentence(B, A, "BCA", *parts(results, B, A)).endswith(f"lies above 0 on {below} of 12, below it on {above}.")
    points, over = pairs_chart("BCA", by_dataset, together, dark=False).data
    assert list(points.y) == list(DATASETS.values()) and list(over.y) == [AVERAGE]
    low = np.array(points.x) - np.array(points.error_x.array)
    assert low == pytest.approx([one.low for one in by_dataset.values()])


def test_one_dataset_and_one_split_have_no_interval():
    one = {result.key: result for result in make_results(1, (A, B), ("vehicle",))}
    by_dataset, together = parts(one)
    assert pairs_sentence(A, B, "BCA", by_dataset, together).count("interval") == 1
    assert pairs_table(one, A, B, "bca", by_dataset, together)["95% interval"].tolist() == ["–", "–"]
    assert len(pairs_chart("BCA", by_dataset, together, dark=True).data) == 2


def test_every_split_can_be_downloaded(results):
    frame = pd.read_csv(io.StringIO(every_split(results, A, B)))
    assert list(frame.columns[:3]) == ["dataset", "split", f"rca {A}"]
    assert len(frame) == sum(one.of for one in paired(results, A, B).values())
    assert frame["bca difference"].to_numpy() == pytest.approx((frame[f"bca {A}"] - frame[f"bca {B}"]).to_numpy(), abs=2e-6)


def test_a_link_shows_its_pair_and_a_cell_opens_its_runs_as_a_comparison(opened):
    app = opened(part="Pairs", first=A, second="RF", metric="RCA")
    assert f"{A} minus RF:" in said(app) and "RCA over 3 datasets" in said(app)
    assert app.dataframe[0].value["Dataset"].tolist() == ["Vehicle", "Satellite", "MAGIC", "Over datasets"]
    assert not any("comparison" in one.proto.label for one in app.get("link_button"))  # Compare cannot train RF
    app = opened(dataset="Satellite", algorithm=A)
    (button,) = (one for one in app.get("link_button") if "comparison" in one.proto.label)
    assert button.proto.label == "Open 3 splits as a comparison" and button.proto.url.startswith("./compare?")


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ({"first": "RF", "second": "RF", "metric": "<b>"}, "The link's metric “<b>” is unknown"),
        ({"first": "RF", "second": "RF", "metric": "RCA"}, "Choose two different algorithms."),
        ({"first": "RF", "second": "JRip"}, "RF and JRip have no split of any dataset in common."),
    ],
)
def test_what_cannot_be_paired_is_told(opened, link, text):
    assert text in said(opened(part="Pairs", **link))


def of_vehicle(results, *algorithms):
    return [one for one in results.values() if one.dataset == "vehicle" and one.algorithm in algorithms]


def linked(found):
    return {name: values[0] for name, values in parse_qs(urlsplit(found.link).query).items()}


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if ALGORITHMS[name].batch_norm])
def test_a_comparison_has_the_studys_settings_splits_and_variants(algorithm):
    results = {one.key: one for one in make_results(4, tuple({*with_rival(algorithm)}), ("vehicle",))}
    values = linked(comparison_of(with_rival(algorithm), of_vehicle(results, *with_rival(algorithm))))
    assert (values["data"], values["seeds"], values["seed"], values["test"]) == ("vehicle", "4", "0", "0.3")
    plan = comparison_plan(values["variants"].split(","), TrainConfig.from_url(values), seeds=4, score=values["score"])
    for variant, name in zip(plan.variants, with_rival(algorithm), strict=True):
        wanted = protocol_config(name, 0, 0.0)
        differing = set(variant.config.differing(wanted)) - {"early_stopping", "max_epochs"}
        assert not differing and bool(variant.ur_weights) == ALGORITHMS[name].selects_ur
    assert {one.split_seed for one in plan.trainings()} == {0, 1, 2, 3} and plan.variants[0].config.max_epochs in (9, 10)


def test_the_note_says_how_far_the_comparison_is_the_studys(results):
    found = comparison_of((B, A), of_vehicle(results, A, B))
    epochs = np.median([one.epochs for one in of_vehicle(results, A, B)])
    assert f"each training takes {epochs:.0f} epochs" in found.note and "chosen in" in found.note
    assert found.runs == len(of_vehicle(results, A))


def test_what_compare_cannot_train_has_no_comparison_and_the_recommended_settings_are_compared_alone(results):
    assert with_rival("CART") == ("CART",)
    assert comparison_of(("CART",), of_vehicle(results, "CART")) is None
    assert comparison_of((B, "RF"), of_vehicle(results, B, "RF")) is None
    late = Result("vehicle", B, 7, 0.8, 0.7, 1.0, None, 30, 7, "0")  # the first splits are those of Compare's seeds
    assert comparison_of((B,), [late]) is None and comparison_of((B,), []) is None
    found = comparison_of(("TSK-recommended",), of_vehicle(results, "TSK-recommended"))
    config = TrainConfig.from_url(linked(found))
    assert config == TrainConfig(random_state=0) and linked(found)["variants"] == "base"
    assert comparison_of((B, "TSK-recommended"), of_vehicle(results, B, "TSK-recommended")) is None
