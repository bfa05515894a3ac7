"""The scores of a selected epoch, beside those of the comparison."""

import numpy as np
import pytest

from tests.client.messages import COMPARISON, make_epoch, make_shown, message_of, show_views

pytestmark = pytest.mark.browser

SCORES = np.random.default_rng(0).uniform(0.59, 0.85, 150)


def run(scores, name="now"):
    history = [make_epoch(k, rca_test=float(score), bca_test=0.5) for k, score in enumerate(scores, 1)]
    return make_shown(history, name, epochs=len(scores), metrics={})


def tiles(client, index):
    """What the tiles say once this epoch is selected."""
    client.select(index)
    return [" ".join(text.split()) for text in client.page.locator(".tsk-view-tiles > div").all_inner_texts()]


def test_the_tiles_are_those_of_the_selected_epoch_and_give_way_to_the_newest(client):
    show_views(client, message_of(run(SCORES), run(SCORES[::-1], "before")), "tiles")
    less = round(SCORES[49], 3) - round(SCORES[100], 3)
    rca, bca, epoch = tiles(client, 49)
    assert rca == f"Test accuracy (RCA), epoch 50 {SCORES[49]:.3f} {less:+.3f} vs {COMPARISON}".replace("-", "−")
    assert bca == f"Test balanced accuracy (BCA), epoch 50 0.500 0.000 vs {COMPARISON}" and epoch == "Epoch selected 50 / 150"
    assert tiles(client, None) == [] and client.page.locator(".tsk-past").count() == 0


def test_no_difference_to_other_test_rows_or_to_an_epoch_that_the_comparison_lacks(client):
    other = run(SCORES, "before")
    other.test_size = 0.5
    for comparison in (other, run(SCORES[:20], "before"), None):
        show_views(client, message_of(run(SCORES), comparison), "tiles")
        assert tiles(client, 49)[0] == f"Test accuracy (RCA), epoch 50 {SCORES[49]:.3f}"
