"""Training side by side with other implementations, step by step and as whole fits: ``python -m benchmarks.peers [--json]``.

Needs requirements-bench.txt. Peers are driven through their public API: forward, loss (cross-entropy, and λ·UR and α·L2
where their firing levels and weights can be reached), backward, optimiser. They get torch's own Adam, which is faster than
AdaBound from Python; the autograd loop is the paper's model written plainly. In the comparison of steps their batches come
shuffled; ours shuffles and gathers in its time.

A whole fit is what a person waits for: ours from ``fit`` to its end, with encoding, k-means and the records of the last epoch;
PyTSK's from its k-means (one start, as ours) to the end of its own training loop. ``--fits`` measures these alone.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor, nn

from tsk_core import TrainConfig, TSKClassifier, fit_many
from tsk_core.commands import bench

D, C, R = bench.SATELLITE["D"], bench.SATELLITE["C"], bench.SATELLITE["R"]
UR_WEIGHT, L2 = 1.0, 0.001
EPOCHS = 50  # of a whole fit


def looped(rows, batch_size: int, loss: Callable[[Tensor, Tensor], Tensor], parameters) -> bench.Contestant:
    """Steps of one model over shuffled batches, at most 40 a round: peers are slow."""
    optimizer = torch.optim.Adam(parameters, lr=0.01)
    order = torch.randperm(len(rows.y)).split(batch_size)[:40]
    batches = [(rows.x[i], rows.y[i]) for i in order]

    def run() -> int:
        for x, y in batches:
            optimizer.zero_grad()
            loss(x, y).backward()
            optimizer.step()
        return len(batches)

    return run


def autograd(rows, batch_size: int) -> bench.Contestant:
    """The paper's UR-BN written plainly with autograd."""
    centers, sigmas = nn.Parameter(torch.randn(R, D)), nn.Parameter(1 + 0.2 * torch.randn(R, D))
    weights, biases = nn.Parameter(torch.rand(R, C, D) * 2 - 1), nn.Parameter(torch.zeros(R, C))
    norm = nn.BatchNorm1d(D)

    def loss(x: Tensor, y: Tensor) -> Tensor:
        z = -((x[:, None] - centers) ** 2 / (2 * sigmas**2)).sum(-1)
        firing = torch.softmax(z, 1)
        rule_scores = torch.einsum("bd,rcd->brc", norm(x), weights) + biases
        scores = (firing[..., None] * rule_scores).sum(1)
        uniform = ((firing.mean(0) - 1 / C) ** 2).sum()
        return nn.functional.cross_entropy(scores, y) + UR_WEIGHT * uniform + L2 * (weights**2).sum()

    return looped(rows, batch_size, loss, [centers, sigmas, weights, biases, *norm.parameters()])


def pytsk(rows, batch_size: int) -> bench.Contestant:
    """scikit-pytsk's TSK with its antecedent, its batch normalisation and its ur_loss."""
    from pytsk.gradient_descent.antecedent import AntecedentGMF
    from pytsk.gradient_descent.training import ur_loss
    from pytsk.gradient_descent.tsk import TSK

    centers = rows.x[:R].T.numpy()
    antecedent = AntecedentGMF(in_dim=D, n_rule=R, high_dim=False, init_center=centers)
    model = TSK(in_dim=D, out_dim=C, n_rule=R, antecedent=antecedent, precons=nn.BatchNorm1d(D))

    def loss(x: Tensor, y: Tensor) -> Tensor:
        scores, firing = model(x, get_frs=True)
        return nn.functional.cross_entropy(scores, y) + UR_WEIGHT * ur_loss(firing, 1 / C) + L2 * (model.cons.weight**2).sum()

    return looped(rows, batch_size, loss, model.parameters())


def highfis(rows, batch_size: int) -> bench.Contestant:
    """The TSK classifier of highFIS, one membership a rule and feature, with its consequent batch normalisation."""
    from highfis.memberships import GaussianMF
    from highfis.models import TSKClassifierModel

    sets = {f"x{d}": [GaussianMF(mean=float(rows.x[r, d]), sigma=1.0) for r in range(R)] for d in range(D)}
    model = TSKClassifierModel(sets, n_classes=C, rule_base="coco", consequent_batch_norm=True)

    def loss(x: Tensor, y: Tensor) -> Tensor:
        return nn.functional.cross_entropy(model(x), y)

    return looped(rows, batch_size, loss, model.parameters())


def our_fit(rows, batch_size: int, models: int, threads: int) -> bench.Contestant:
    """``fit`` of one classifier, or ``fit_many`` of several."""
    x, y = rows.x.double().numpy(), rows.y.numpy()
    config = TrainConfig.paper(n_rules=R, ur_weight=UR_WEIGHT, l2=L2, batch_size=batch_size, max_epochs=EPOCHS)

    def run() -> int:
        classifiers = [TSKClassifier(**replace(config, random_state=seed).to_dict()) for seed in range(models)]
        if models == 1:
            classifiers[0].fit(x, y)
        else:
            fit_many(classifiers, x, y, threads=threads)
        return models * EPOCHS * -(-len(y) // batch_size)

    return run


def pytsk_fit(rows, batch_size: int) -> bench.Contestant:
    """scikit-pytsk's Wrapper, with its UR; L2 as the optimiser's weight decay, which costs it less than a term of the loss."""
    from pytsk.gradient_descent.antecedent import AntecedentGMF, antecedent_init_center
    from pytsk.gradient_descent.training import Wrapper
    from pytsk.gradient_descent.tsk import TSK

    x, y = rows.x.numpy(), rows.y.numpy()

    def run() -> int:
        centers = antecedent_init_center(x, n_rule=R, n_init=1)
        antecedent = AntecedentGMF(in_dim=D, n_rule=R, high_dim=False, init_center=centers)
        model = TSK(in_dim=D, out_dim=C, n_rule=R, antecedent=antecedent, precons=nn.BatchNorm1d(D))
        rest = [p for p in model.parameters() if p is not model.cons.weight]
        groups = [{"params": [model.cons.weight], "weight_decay": 2 * L2}, {"params": rest}]
        optimizer, loss = torch.optim.Adam(groups, lr=0.01), nn.CrossEntropyLoss()
        Wrapper(model, optimizer, loss, batch_size=batch_size, epochs=EPOCHS, ur=UR_WEIGHT, ur_tau=1 / C).fit(x, y)
        return EPOCHS * (len(y) // batch_size)  # it drops the last batch where that is smaller

    return run


def whole_fits() -> dict[str, bench.Contestant]:
    """One model, a stack of 16 on two threads, and PyTSK, for each batch size."""
    rows, found = bench.table(), {}
    for B in bench.BATCHES:
        found[f"whole fit, tsk_core, B={B}, M=1"] = our_fit(rows, B, 1, 1)
        found[f"whole fit, tsk_core, B={B}, M=16, 2 threads"] = our_fit(rows, B, 16, 2)
        found[f"whole fit, pytsk, B={B}, M=1"] = pytsk_fit(rows, B)
    return found


def main() -> None:
    """Measure everything in one run and print it, with ratios to ours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fits", action="store_true", help="whole fits only")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    times = {} if options.fits else bench.measure(steps())
    times |= bench.measure(whole_fits(), rounds=3)
    if options.json:
        print(json.dumps(times))
        return
    print(bench.report(times))
    if not options.fits:
        print_ratios_of_steps(times)
    for B in bench.BATCHES:
        peer = times[f"whole fit, pytsk, B={B}, M=1"]
        alone, stack = (peer / times[f"whole fit, tsk_core, B={B}, M={models}"] for models in ("1", "16, 2 threads"))
        print(f"B={B}: a whole fit is {alone:5.1f} times as fast as pytsk's, in a stack of 16 on 2 threads {stack:5.1f} times")


def steps() -> dict[str, bench.Contestant]:
    """Steps of ours, of the limit and of every peer."""
    rows, contestants = bench.table(), bench.standard()
    for B in bench.BATCHES:
        for make in (autograd, pytsk, highfis):
            contestants[f"{make.__name__}, B={B}, M=1"] = make(rows, B)
    return contestants


def print_ratios_of_steps(times: dict[str, float]) -> None:
    """How many times as fast a step is as each peer's, and how far from the limit."""
    for B in bench.BATCHES:
        for peer in ("autograd", "pytsk", "highfis"):
            alone = times[f"{peer}, B={B}, M=1"] / times[f"tsk_core, B={B}, M=1"]
            stack = times[f"{peer}, B={B}, M=1"] / times[f"tsk_core, B={B}, M=16, 2 threads"]
            print(f"B={B}: {alone:5.1f} times as fast as {peer} alone, {stack:5.1f} times as a stack of 16 on 2 threads")
        limit = times[f"tsk_core, B={B}, M=16, 2 threads"] / times[f"matrix products alone, B={B}, M=16, 2 threads"]
        print(f"B={B}: a stack of 16 on 2 threads takes {limit:.1f} times what its matrix products take")


if __name__ == "__main__":
    main()
