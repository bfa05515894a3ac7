"""The paper's figures: their data against classifiers of their own, what is written, and what is claimed of it."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tsk_core.data import load_dataset
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.experiments import COMPARISON, Plan, Variant
from tsk_core.experiments.trainings import train_together
from tsk_study.figures import FIGURES, FigureOptions, make_figures, read_figure
from tsk_study.names import ALGORITHMS, FOUR
from tsk_study.parts import split_data
from tsk_study.protocol import final_config, protocol_config, train_cells
from tsk_study.published import printed_scores
from tsk_study.results import Result

IRIS = load_dataset("iris")


def result(algorithm, split, dataset="iris", rca=0.9, bca=0.8, epochs=5):
    weight = 1.0 if ALGORITHMS[algorithm].selects_ur else None
    return Result(dataset, algorithm, split, rca, bca, 0.1, weight, epochs, split, "0")


def options_of(results, **changes):
    small = {"dataset": "iris", "firing_datasets": ("iris",), "batch_sizes": (16, 64), "epochs": 4, "repetitions": 2}
    return FigureOptions({one.key: one for one in results}, **{**small, **changes})


OPTIONS = options_of([result(name, split) for name in FOUR for split in (0, 3)])


def ignored(share):
    """A progress that nobody reads."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with all figures, and what making them said."""
    folder = tmp_path_factory.mktemp("figures")
    shares = []
    found = make_figures(replace(OPTIONS, results=OPTIONS.results | vehicle()), folder, progress=lambda *one: shares.append(one))
    return folder, found, shares


def vehicle():
    """Made-up results of a dataset of the study, each model a little above the one before it; and trees of 40 conditions."""
    trees = [replace(result("CART", split, "vehicle", epochs=None), effort=40) for split in range(3)]
    found = trees + [
        result(name, split, "vehicle", 0.7 + k / 100, 0.7 + k / 100) for k, name in enumerate(FOUR) for split in range(3)
    ]
    return {one.key: one for one in found}


@pytest.fixture(scope="module")
def classifiers():
    """The same models, each trained by itself: (algorithm, split) -> its firing levels on all rows of iris, (150, 20)."""
    found = {}
    for one in OPTIONS.results.values():
        data = split_data(IRIS, one.split)
        classifier = TSKClassifier(**final_config(one).to_dict()).fit(data.frame_train, np.asarray(IRIS.y)[data.train])
        found[one.algorithm, one.split] = classifier.firing_levels(IRIS.X)
    return found


def test_average_firing_levels_and_entropies_are_those_of_the_models_trained_alone(made, classifiers):
    frame = read_figure(made[0], "firing")
    for (algorithm, split), levels in classifiers.items():
        rows = frame[(frame["algorithm"] == algorithm) & (frame["split"] == split)]
        assert rows["rule"].tolist() == list(range(1, 21))
        np.testing.assert_allclose(rows["firing"], np.sort(levels.mean(0))[::-1], rtol=1e-3, atol=1e-5)
    assert len(frame) == 20 * len(classifiers)
    frame = read_figure(made[0], "entropy")
    for (algorithm, split), levels in classifiers.items():
        rows = frame[(frame["algorithm"] == algorithm) & (frame["split"] == split)]
        entropy = [-sum(level * np.log(level) for level in row if level > 0) for row in levels]
        expected, _ = np.histogram(entropy, np.linspace(0, np.log(20), 31))
        assert rows["rows"].sum() == len(IRIS.y)
        assert np.abs(rows["rows"] - expected).sum() <= 4  # a row at the edge of two bins may be in either


@pytest.mark.parametrize("name", ["firing", "entropy"])
def test_a_result_without_its_number_of_epochs_is_named(name):
    options = options_of([result(one, 0, epochs=None) for one in FOUR])
    with pytest.raises(DataError, match="on iris, split 0, has no number of epochs"):
        FIGURES[name].compute(options, ignored)


def test_the_first_epochs_are_those_that_the_page_compare_shows(made):
    frame = read_figure(made[0], "first_epochs")
    configs = [protocol_config(name, 0, 1.0 if ALGORITHMS[name].selects_ur else 0.0) for name in FOUR]
    changed = [replace(config, early_stopping=False, max_epochs=4, random_state=None) for config in configs]
    plan = Plan(COMPARISON, tuple(Variant(name, name, config) for name, config in zip(FOUR, changed, strict=True)), seeds=2)
    points = [record for record in train_together(IRIS, plan, plan.trainings()) if "point" in record]
    names = {"ce": "cross_entropy", "bca": "bca"} | {f"grad_{of}": f"gradient_{of}" for of in ("antecedents", "consequents")}
    for point in points:
        rows = frame[(frame["algorithm"] == FOUR[point["variant"]]) & (frame["split"] == point["seed"])]
        assert rows["epoch"].tolist() == [1, 2, 3, 4]
        for curve, column in names.items():
            np.testing.assert_allclose(rows[column], point["curves"][curve][1:], rtol=1e-3)
    assert len(frame) == 4 * len(points)


@pytest.mark.slow
def test_at_the_batch_size_of_the_study_its_own_results_come_back():
    (found,) = train_cells(IRIS, [(FOUR[-1], 0)])
    frame = FIGURES["batch_size"].compute(options_of([found], batch_sizes=(64,)), ignored)
    (row,) = frame.itertuples()
    assert (row.epochs, row.ur_weight, row.split) == (found.epochs, found.ur_weight, 0)
    assert (row.rca, row.bca) == pytest.approx((found.rca, found.bca))


def test_the_batch_size_changes_the_training(made):
    frame = read_figure(made[0], "batch_size")
    assert frame.groupby("batch_size")["split"].apply(list).to_dict() == {16: [0, 3], 64: [0, 3]}
    scores = frame.pivot(index="split", columns="batch_size", values=["epochs", "rca", "bca"])
    assert not np.array_equal(scores.xs(16, axis=1, level=1), scores.xs(64, axis=1, level=1))


def test_the_improvement_has_the_means_of_the_splits_that_all_four_share():
    extra = result(FOUR[0], 9, "vehicle", rca=0.0)  # a split that only one of them has
    frame = FIGURES["improvement"].compute(FigureOptions(vehicle() | {extra.key: extra}), ignored)
    assert set(frame["split"]) == {0, 1, 2}
    rca, bca = FIGURES["improvement"].panels(frame)
    assert [one.mean for one in rca.series] == [pytest.approx([0.7 + k / 100]) for k in range(4)]
    assert list(rca.series[0].x) == ["Vehicle"]


def test_the_papers_figure_has_its_printed_averages_by_the_first_models_rca():
    figure = FIGURES["improvement"]
    panels = figure.panels(figure.paper())
    for panel, metric in zip(panels, ("rca", "bca"), strict=True):
        table = printed_scores(metric).loc[printed_scores("rca")["TSK-MBGD"].sort_values().index]
        for one, algorithm in zip(panel.series, FOUR, strict=True):
            assert list(one.mean) == table[algorithm].tolist()
    assert panels[0].series[0].x[0] == "Satellite"  # the lowest that the paper prints, .4890


def test_each_figure_is_written_as_data_and_as_a_drawing(made):
    folder, found, shares = made
    assert not found.missing
    assert {path.name for path in found.files} == {f"{name}.{end}" for name in FIGURES for end in ("csv", "svg")} | {"figures.md"}
    for name, figure in FIGURES.items():
        drawing = ET.parse(folder / f"{name}.svg").getroot()
        texts = " ".join(drawing.itertext())
        panels = figure.panels(read_figure(folder, name))
        assert all(panel.title in texts and panel.x_title in texts for panel in panels)
    assert all(0 < share <= 1 for _, share in shares)
    assert dict(shares) == dict.fromkeys(FIGURES, 1.0)  # each ends with all of it done


def test_what_is_there_is_not_computed_again_and_the_text_keeps_what_is_not_made_this_time(made):
    folder, found, _ = made
    before = {path: path.read_bytes() for path in found.files}
    nothing = replace(OPTIONS, results=vehicle())  # the data of the other figures could not be computed from these
    assert not make_figures(nothing, folder, ["firing", "first_epochs", "improvement"]).missing
    assert {path: path.read_bytes() for path in found.files} == before
    before = (made[0] / "figures.md").read_text()
    make_figures(OPTIONS, made[0], ["entropy"])
    assert (made[0] / "figures.md").read_text() == before


def test_what_has_fewer_splits_than_there_are_results_is_computed_again(tmp_path):
    for repetitions in (1, 2):
        make_figures(replace(OPTIONS, repetitions=repetitions), tmp_path, ["first_epochs"])
        assert read_figure(tmp_path, "first_epochs")["split"].nunique() == repetitions


def test_a_figure_that_is_stopped_leaves_no_data_and_one_without_results_says_what_is_missing(tmp_path):
    def stop(name, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_figures(OPTIONS, tmp_path, ["first_epochs"], stop)
    assert not list(tmp_path.iterdir())
    found = make_figures(replace(OPTIONS, results={}, firing_datasets=("satellite",)), tmp_path, ["improvement", "firing"])
    assert set(found.missing) == {"improvement", "firing"}
    assert "TSK-MBGD-UR-BN on the same split of Satellite" in found.missing["firing"]
    assert [path.name for path in tmp_path.iterdir()] == ["figures.md"]


def test_bad_input_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(SettingError, match="no figure 'pie'"):
        make_figures(OPTIONS, tmp_path, ["pie"])
    with pytest.raises(DataError, match="'firing.csv' is missing"):
        read_figure(tmp_path, "firing")
    for content in ("", "a,b\n1,2\n", "dataset,algorithm,split,rule,firing\niris,TSK-MBGD,0,one,high\n", "\x00\xff"):
        (tmp_path / "firing.csv").write_text(content, encoding="latin-1")
        with pytest.raises(DataError, match=r"'firing\.csv' does not have the data"):
            read_figure(tmp_path, "firing")


def batch_frame(scores):
    """Made-up BCA and RCA by batch size, in ten splits that differ a little."""
    noise = np.random.default_rng(0).normal(0, 0.002, (10, len(scores)))
    noise -= noise.mean(0)
    lines = [
        ("iris", size, split, 9, score + noise[split, k], score - noise[split, k])
        for k, (size, score) in enumerate(scores.items())
        for split in range(10)
    ]
    return pd.DataFrame(lines, columns=["dataset", "batch_size", "split", "epochs", "rca", "bca"])


@pytest.mark.parametrize(
    ("scores", "small", "large"),
    [
        ({16: 0.7, 64: 0.8, 256: 0.8, 2048: 0.6}, "yes", "yes"),
        ({16: 0.9, 64: 0.8, 256: 0.8, 2048: 0.8}, "no", "not certain"),
    ],
)
def test_a_claim_on_the_batch_size_holds_where_its_interval_does(scores, small, large):
    claims = FIGURES["batch_size"].claims(batch_frame(scores))
    assert claims[0].holds == small
    assert claims[1].holds == large
    assert "95% interval" in claims[0].numbers
    assert f"{scores[64] - scores[16]:+.3f}".replace("-", "−") in claims[0].numbers


def test_a_claim_of_significance_on_entropy_holds_where_both_intervals_do():
    lines = []
    for k, (algorithm, mean) in enumerate(zip(FOUR, (0.6, 0.5, 0.2, 0.7), strict=True)):  # UR helps without BN, not with it
        for split in range(4):
            share = mean + 0.01 * (k + 1) * (split - 1.5)
            lines += [("iris", algorithm, split, 0.0, 1.0, 100 * share), ("iris", algorithm, split, 1.0, 2.0, 100 * (1 - share))]
    frame = pd.DataFrame(lines, columns=["dataset", "algorithm", "split", "low", "high", "rows"])
    (claim,) = FIGURES["entropy"].claims(frame)
    assert claim.holds == "partly"
    assert "60% of the rows with MBGD and 20% with MBGD-UR" in claim.numbers
    assert "+0.400 (95% interval +0.332 to +0.468) and −0.200" in claim.numbers


def test_even_firing_levels_are_told_from_uneven_ones():
    uneven, even = [0.7, 0.1, 0.1, 0.1], [0.25] * 4
    lines = [
        ("iris", algorithm, split, rule, level)
        for algorithm, levels in zip(FOUR, (uneven, uneven, even, even), strict=True)
        for split in range(3)
        for rule, level in enumerate(levels, 1)
    ]
    richest, bn, ur = FIGURES["firing"].claims(pd.DataFrame(lines, columns=["dataset", "algorithm", "split", "rule", "firing"]))
    assert (richest.holds, bn.holds, ur.holds) == ("yes", "no", "yes")
    assert "0.700" in richest.numbers
    assert "6 of 6 pairs" in ur.numbers
