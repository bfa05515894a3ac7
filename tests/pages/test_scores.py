"""What the page says of the scores at the end of a run: intervals, baselines, where the model is below one, scores by class."""

from tests.pages.helpers import as_text, captions, last_message, look_at, open_page, open_run, run_of, train
from tsk_core.evaluate.baselines import BASELINES
from ui.platform.engine import get_engine
from ui.runs.score_texts import below_baseline, class_scores, with_interval


def numbers(app):
    return get_engine().store.open(run_of(app)).metrics()


def test_the_end_of_a_run_shows_intervals_auc_every_baseline_and_on_tabs_scores_by_class_and_the_methods_section():
    app = open_run("iris-converged")
    metrics = numbers(app)
    (intervals,) = (text for text in captions(app) if text.startswith("95% intervals over 45 test rows"))
    assert f"RCA {metrics['intervals']['rca'][0]:.3f}–" in intervals and f"AUC {metrics['auc']:.3f}" in intervals
    (line,) = (text for text in captions(app) if text.startswith("On the same test rows"))
    assert f"logistic regression RCA {metrics['baselines']['logistic_regression']['rca']:.2f}" in line
    (table,) = (one.value for one in app.dataframe if "On the same test rows" in one.value.columns)
    scores = {"This classifier": metrics} | {title: metrics["baselines"][key] for key, title in BASELINES.items()}
    assert table.to_numpy().tolist() == [
        [title, *(f"{one[name]:.3f}" for name in ("rca", "bca", "auc"))] for title, one in scores.items()
    ]
    look_at(app, "Mistakes")
    (table,) = (table.value for table in app.table if "Precision" in table.value.columns)
    assert table["Class"].tolist() == ["setosa", "versicolor", "virginica"]
    assert table.to_dict("records") == [{title: str(text) for title, text in line.items()} for line in class_scores(numbers(app))]
    look_at(app, "Export")
    (text,) = (code.value for code in app.code if "Fuzzy Systems" in code.value)
    assert f"balanced accuracy (BCA, mean recall of the classes) {numbers(app)['bca']:.3f} [" in text


def labels(app):
    return [metric.label for metric in app.metric if "ccuracy" in metric.label]


def test_scores_say_of_which_epoch_they_are():
    app = train(open_page(rules="3", epochs="5"))
    assert labels(app) == ["Accuracy", "Balanced accuracy"]
    assert all("after the last epoch" in metric.help for metric in app.metric[:2])
    app = train(open_page(rules="3", epochs="8", es="true", patience="2"))
    assert labels(app) == ["Accuracy, by validation", "Balanced accuracy, by validation"]
    assert all("chosen on validation rows" in metric.help for metric in app.metric[:2])


def test_scores_that_jitter_come_with_the_mean_of_the_last_epochs_without_a_verdict_and_without_an_arrow_on_other_rows():
    app = train(open_page(rules="3", epochs="40", lr="0.5", opt="adam", batch="4"))
    scores = [epoch.rca_test for epoch in get_engine().history(run_of(app))][-8:]
    mean = f"{sum(scores) / 8:.3f}"
    assert f"Mean of last 8: {mean}" in captions(app)
    assert last_message(app)["shown"]["about"]["jitter"]["window"] == 8
    app.selectbox(key="opt").select("adabound").run()
    train(app)
    assert any(text.startswith(f"Mean of last 8: {mean} → ") for text in captions(app))
    (rca,) = (metric for metric in app.metric if metric.label == "Accuracy")
    assert rca.delta and rca.proto.MetricColor.Name(rca.proto.color) == "GRAY"
    app.selectbox(key="opt").select("adam")
    app.number_input(key="seed").set_value(1).run()
    train(app)
    (line,) = (text for text in captions(app) if text.startswith("Mean of last"))
    assert "→" not in line


def below(app):
    app.run()  # the sidebar is drawn before the page asks for its run
    return [as_text(text.value) for text in app.caption if "by more than chance" in text.value]


def test_a_model_below_a_baseline_says_so_in_one_sentence_with_the_way_out_and_one_as_good_says_nothing():
    app = train(open_page(rules="3", epochs="1", lr="0.000001"))
    (sentence,) = below(app)
    assert sentence == f":material/info: {below_baseline(numbers(app))}"
    assert "“Find good settings”" in sentence and sentence.count(". ") == 0
    app = open_run("iris-converged")
    assert not below(app) and not below_baseline(numbers(app))


def test_the_largest_shortfall_is_the_one_named_and_a_run_without_test_rows_has_none():
    differences = {
        "majority": {"rca": [0.2, 0.1, 0.3], "bca": [0.2, 0.1, 0.3]},
        "logistic_regression": {"rca": [-0.02, -0.04, 0.001], "bca": [-0.05, -0.07, -0.03]},
        "random_forest": {"rca": [-0.03, -0.05, -0.005], "bca": [-0.2, -0.5, 0.1]},
    }
    metrics = {"rca": 0.7, "bca": 0.6, "differences": differences}
    metrics["baselines"] = dict.fromkeys(differences, {"bca": 0.65, "rca": 0.73})
    assert "BCA 0.600 is below the 0.650 of logistic regression" in below_baseline(metrics)
    assert "(−0.050, 95% interval, adjusted for 6 comparisons, −0.077 to −0.023)" in below_baseline(metrics)
    metrics["differences"]["logistic_regression"]["bca"] = [-0.05, -0.09, -0.01]  # below 0 alone, not among six
    assert below_baseline(metrics) == ""
    assert below_baseline({}) == ""
    assert class_scores({}) == [] and with_interval(None, None) == "–" and with_interval(0.5, None) == "0.500"
