"""The table that is made to show the rich-get-richer effect: its rules start about equal. That they do not end so is what
``tests/pages/test_preset_effects.py`` measures.
"""

import numpy as np
import pytest

from tsk_core import TrainConfig, TSKClassifier
from tsk_core.data import load_dataset


def test_each_quarter_of_the_square_has_one_class_and_about_a_quarter_of_the_rows():
    frame = load_dataset("rich_get_richer").frame.query("x != 0 and y != 0")  # after rounding to four digits
    quarters = frame.assign(right=frame["x"] > 0, upper=frame["y"] > 0).groupby(["right", "upper"])["class"]
    assert quarters.nunique().tolist() == [1, 1, 1, 1]
    assert quarters.first().tolist() == ["black", "white", "white", "black"]
    assert quarters.size().between(900, 1100).all()


@pytest.mark.parametrize("seed", range(4))
def test_all_rules_fire_about_equally_before_training(seed):
    ds = load_dataset("rich_get_richer")
    rows = ds.split(seed=seed).train
    classifier = TSKClassifier(**TrainConfig.paper(n_rules=20, max_epochs=1, random_state=seed).to_dict())
    (epoch,) = classifier.fit_iter(ds.X.iloc[rows], ds.y[rows])
    assert epoch.initial_firing.sum() == pytest.approx(1)
    assert np.all(epoch.initial_firing * 20 > 0.3) and np.all(epoch.initial_firing * 20 < 2)
