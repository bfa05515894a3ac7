"""The scores of a selected epoch, and the lines of scores that jitter."""

import numpy as np
import pytest

from tests.client.messages import COMPARISON, figure, make_epoch, make_shown, message_of, show_views

pytestmark = pytest.mark.browser

JITTER = np.random.default_rng(0).uniform(0.59, 0.85, 150)


def run(scores, name="now", **changes):
    history = [make_epoch(k, rca_test=float(score), bca_test=0.5, **changes) for k, score in enumerate(scores, 1)]
    return make_shown(history, name, epochs=len(scores), metrics={})


def texts(client):
    return client.page.locator(".tsk-view-tiles > div").all_inner_texts()


def select(client, index):
    client.run("(await import('/client/core/store.js')).selectEpoch(given[0]); await new Promise(requestAnimationFrame);", index)
    client.page.wait_for_timeout(50)


def test_the_tiles_are_those_of_the_selected_epoch_and_give_way_to_the_newest(client):
    client.open()
    show_views(client, message_of(run(JITTER), run(JITTER[::-1], "before")), "tiles")
    assert texts(client) == []
    select(client, 49)
    less = round(JITTER[49], 3) - round(JITTER[100], 3)
    rca, bca, epoch = (" ".join(text.split()) for text in texts(client))
    assert rca == f"Test RCA, epoch 50 {JITTER[49]:.3f} {less:+.3f} to {COMPARISON}".replace("-", "−")
    assert bca == f"Test BCA, epoch 50 0.500 ±0.000 to {COMPARISON}" and epoch == "Epoch selected 50 / 150"
    select(client, None)
    assert texts(client) == [] and client.page.locator(".tsk-past").count() == 0


def test_no_difference_to_other_test_rows_or_to_an_epoch_that_the_comparison_lacks(client):
    other = run(JITTER, "before")
    other.test_size = 0.5
    for comparison in (other, run(JITTER[:20], "before"), None):
        client.open()
        show_views(client, message_of(run(JITTER), comparison), "tiles")
        select(client, 49)
        assert [" ".join(text.split()) for text in texts(client)][0] == f"Test RCA, epoch 50 {JITTER[49]:.3f}"


def lines(drawn, name):
    return [trace for trace in drawn["data"] if trace["name"] == name]


def test_scores_that_jitter_get_a_smooth_line_on_top_and_a_sentence(client):
    drawn = figure(client, "accuracy", run(JITTER))
    thin, bold = lines(drawn, "RCA test")
    assert thin["y"] == pytest.approx(JITTER, abs=1e-5) and thin["line"]["width"] < bold["line"]["width"]
    means = [np.mean(JITTER[max(0, k - 15) : k + 16]) for k in range(150)]  # 15 epochs before, 15 after
    assert bold["y"] == pytest.approx(means, abs=1e-5)
    last = JITTER[-30:]
    words = f"in the last 30 it was {last.min():.3f} to {last.max():.3f}, {last.mean():.3f} on average"
    assert words in drawn["caption"]


def test_scores_that_do_not_jitter_are_drawn_as_they_are(client):
    drawn = figure(client, "accuracy", run(np.linspace(0.3, 0.9, 150)), run(JITTER, "before"))
    (line,) = lines(drawn, "RCA test")
    assert line["y"] == pytest.approx(np.linspace(0.3, 0.9, 150), abs=1e-5)
    dashed = lines(drawn, COMPARISON)[0]  # the comparison is smoothed, and the caption says so
    assert np.abs(np.diff(dashed["y"])).max() < 0.05 and "its lines are smoothed" in drawn["caption"]
