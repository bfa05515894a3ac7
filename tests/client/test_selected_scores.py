"""The scores of a selected epoch, and the lines of scores that jitter."""

import numpy as np
import pytest

from tests.client.messages import COMPARISON, make_epoch, make_shown, message_of, show_views

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
    assert rca == f"Test accuracy (RCA), epoch 50 {JITTER[49]:.3f} {less:+.3f} vs {COMPARISON}".replace("-", "−")
    assert bca == f"Test balanced accuracy (BCA), epoch 50 0.500 0.000 vs {COMPARISON}" and epoch == "Epoch selected 50 / 150"
    select(client, None)
    assert texts(client) == [] and client.page.locator(".tsk-past").count() == 0


def test_no_difference_to_other_test_rows_or_to_an_epoch_that_the_comparison_lacks(client):
    other = run(JITTER, "before")
    other.test_size = 0.5
    for comparison in (other, run(JITTER[:20], "before"), None):
        client.open()
        show_views(client, message_of(run(JITTER), comparison), "tiles")
        select(client, 49)
        assert [" ".join(text.split()) for text in texts(client)][0] == f"Test accuracy (RCA), epoch 50 {JITTER[49]:.3f}"
