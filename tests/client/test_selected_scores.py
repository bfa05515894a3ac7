"""The scores of the newest epoch while a run trains, and of a selected one, beside those of the comparison."""

import numpy as np
import pytest

from tests.client.messages import COMPARISON, make_epoch, make_shown, message_of, show_views

pytestmark = pytest.mark.browser

SCORES = np.random.default_rng(0).uniform(0.59, 0.85, 150)


def run(scores, name="now", epochs=None):
    """One that ended; with the number of its epochs, one that trains."""
    history = [make_epoch(k, rca_test=float(score), bca_test=0.5) for k, score in enumerate(scores, 1)]
    return make_shown(history, name, epochs=epochs or len(scores), metrics=None if epochs else {})


def tiles(client, index):
    """What the tiles say once this epoch is selected."""
    client.select(index)
    return said(client)


def said(client):
    return [" ".join(text.split()) for text in client.page.locator(".tsk-view-tiles > div").all_inner_texts()]


def test_the_tiles_are_those_of_the_selected_epoch_and_give_way_to_the_newest(client):
    show_views(client, message_of(run(SCORES), run(SCORES[::-1], "before")), "tiles")
    rca, bca, epoch = tiles(client, 49)
    assert rca == f"Accuracy, epoch 50 {score(50)}"
    assert bca == f"Balanced accuracy, epoch 50 0.500 0.000 vs {COMPARISON}" and epoch == "Epoch selected 50 / 150"
    assert tiles(client, None) == [] and client.page.locator(".tsk-past").count() == 0


def test_no_difference_to_other_test_rows_or_to_an_epoch_that_the_comparison_lacks(client):
    other = run(SCORES, "before")
    other.test_size = 0.5
    for comparison in (other, run(SCORES[:20], "before"), None):
        show_views(client, message_of(run(SCORES), comparison), "tiles")
        assert tiles(client, 49)[0] == f"Accuracy, epoch 50 {SCORES[49]:.3f}"


def test_while_a_run_trains_the_tiles_are_those_of_the_newest_epoch_and_its_label_says_no_epoch(client):
    before, bca = run(SCORES[::-1], "before"), f"Balanced accuracy 0.500 0.000 vs {COMPARISON}"
    show_views(client, message_of(run([], epochs=150), before), "tiles", live=True)
    assert said(client) == ["Accuracy –", "Balanced accuracy –", "Epoch 0 / 150"]
    for epochs in (1, 7):
        client.receive(message_of(run(SCORES[:epochs], epochs=150), before))
        assert tiles(client, None) == [f"Accuracy {score(epochs)}", bca, f"Epoch {epochs} / 150"]
    assert tiles(client, 2)[::2] == [f"Accuracy, epoch 3 {score(3)}", "Epoch selected 3 / 150"]


def score(epoch):
    """Of this epoch, and its difference to that of the other run, which has them backwards."""
    now, before = (round(one, 3) for one in (SCORES[epoch - 1], SCORES[-epoch]))
    return f"{now:.3f} {now - before:+.3f} vs {COMPARISON}".replace("-", "−")


def test_the_label_says_which_epoch_is_one_of_a_search(client):
    search = [make_epoch(k, stage="hold-out", rca_test=None, bca_test=None) for k in (1, 2)]
    show_views(client, message_of(make_shown(search)), "tiles", live=True)
    assert tiles(client, 0)[0] == "Accuracy, search, epoch 1 –"
    assert tiles(client, None)[0] == "Accuracy –"


def test_a_presented_page_leaves_the_newest_epoch_to_the_slider(client):
    show_views(client, message_of(run(SCORES[:3], epochs=200)), "tiles", live=True, presenting=True)
    assert len(said(client)) == 2
    assert tiles(client, 1)[2:] == ["Epoch selected 2 / 200"]
