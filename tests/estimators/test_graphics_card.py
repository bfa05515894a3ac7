"""A graphics card trains what the processor trains, and what it trained works without one; skipped where torch finds no card.

Both compute in float32, in another order: losses agree to some digits, and predictions but for rows near a border of classes.
"""

import os
import pickle  # noqa: TID251 - users do
import subprocess
import sys

import numpy as np
import pytest
import torch

from tsk_core import TrainConfig, TSKClassifier, fit_many

pytestmark = [pytest.mark.soak, pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no graphics card")]

PAPER = TrainConfig.paper(n_rules=6, max_epochs=3, random_state=1).to_dict()
READABLE = TrainConfig.readable(max_epochs=12, random_state=1).to_dict()
SETTINGS = {
    "recommended": {"max_epochs": 3, "random_state": 1},
    "paper": PAPER,
    "gbn": PAPER | {"batch_norm": "gbn", "firing": "htsk"},
    "rbn": PAPER | {"batch_norm": "rbn", "firing": "paper", "optimizer": "adam"},
    "since the paper": PAPER | {"firing": "log", "layer_norm": "relu", "batch_norm": "none", "optimizer": "powerball-adabelief"},
    "rules that are dropped": PAPER | {"drop_rule": 0.3, "init": "fcm", "class_weight": "balanced"},
    "readable": READABLE,
    "several trainings": {"max_epochs": 3, "random_state": 1, "n_trainings": 4},
    "early stopping": {"max_epochs": 4, "random_state": 1, "early_stopping": True, "patience": 4},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_losses_and_predictions_are_those_of_the_processor(mixed, settings):
    X, y = mixed
    weights = np.linspace(0.5, 1.5, len(y))
    cpu, card = (TSKClassifier(**settings | {"device": device}).fit(X, y, weights) for device in ("cpu", "cuda"))
    for name in ("loss", "ce_validation", "grad_antecedents"):
        first, second = ([getattr(epoch, name) for epoch in model.history_] for model in (cpu, card))
        if first[0] is not None:
            np.testing.assert_allclose(second, first, rtol=0.02, err_msg=name)
    np.testing.assert_allclose(card.history_[-1].firing, cpu.history_[-1].firing, atol=0.02)
    assert (card.predict(X) == cpu.predict(X)).mean() > 0.98


def test_what_a_card_trained_predicts_where_there_is_none(mixed, tmp_path):
    X, y = mixed
    model = TSKClassifier(max_epochs=2, random_state=0, device="auto").fit(X, y)
    file = tmp_path / "model.pickle"
    file.write_bytes(pickle.dumps((model, X)))
    code = f"import pickle, sys; model, X = pickle.load(open({str(file)!r}, 'rb')); print(*model.predict(X))"
    without = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, "-c", code], env=without, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == model.predict(X).tolist()
    assert model.rules()


def test_a_stack_on_a_card_trains_what_each_of_its_models_trains_alone(mixed):
    X, y = mixed
    models = [TSKClassifier(max_epochs=3, ur_weight=weight, random_state=0, device="cuda") for weight in (0, 1)]
    stacked = [model.history_[-1].loss for model in fit_many(models, X, y)]
    alone = [model.fit(X, y).history_[-1].loss for model in models]
    np.testing.assert_allclose(stacked, alone, rtol=0.01)
