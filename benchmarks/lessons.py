"""What the lessons of Learn show, over seeds: ``python -m benchmarks.lessons [--seeds 30] > docs/lessons-measured.md``.

A seed gives another split, initial state and batch order. The tables have, for each scene, the mean, standard deviation,
least and greatest value over the seeds.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tsk_core.lessons import Lesson, OutcomeMeasure, Scene, lessons
from tsk_core.lessons.outcomes import Trained, outcome_of, raster, train_scene

OF_EACH = ("rca_test", "largest_share", "smallest_share", "dead_rules", "effective_rules")
Measure = Callable[[Trained], float]


def first_below(trained: Trained, loss: float = 0.1) -> float:
    """The first epoch with a training cross-entropy below this; NaN where there is none."""
    return next((epoch.epoch for epoch in trained.history if epoch.loss_ce < loss), np.nan)


def outside(lesson: Lesson) -> Measure:
    """Of the cells in which rule 2 is the strongest, the share outside its ellipse of one σ."""

    def share(trained: Trained) -> float:
        cells = np.array(outcome_of(OutcomeMeasure("strongest_rule", ("",), rule=2), {"": trained}, lesson.predict)) > 0.5
        rule, places = trained.model.to_dict()["rules"][1], raster(trained, lesson.predict).to_numpy(float)
        inside = (((places - np.array(rule["centers"])) / np.array(rule["sigmas"])) ** 2).sum(1) <= 1
        return float((cells & ~inside).sum() / cells.sum())

    return share


def measures_of(lesson: Lesson) -> Iterator[tuple[str, Measure]]:
    """What is measured of each training of a lesson."""

    def of(name: str) -> Measure:
        return lambda trained: float(outcome_of(OutcomeMeasure(name, ("",)), {"": trained}))

    yield from ((name, of(name)) for name in OF_EACH)
    if lesson.name == "rich":
        yield "largest_share before training", lambda trained: float(trained.history[0].initial_firing.max())
    if lesson.name == "hill":
        yield "outside the ellipse", outside(lesson)
    if lesson.name == "bn":
        yield "first epoch with a cross-entropy below 0.1", first_below
    if lesson.name == "rules":
        yield "strongest_agrees", of("strongest_agrees")


def main() -> None:
    """Train every scene with every seed, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--seeds", type=int, default=30, help="how many, from 0 on")
    seeds = range(parser.parse_args().seeds)
    about = f"Printed by `python -m benchmarks.lessons`.\n\n{__doc__.partition(chr(10) * 2)[2]}"
    print(f"# What the lessons show, measured\n\n{about}\nSeeds 0 to {len(seeds) - 1}.")
    for lesson in lessons()[0].values():
        measures = list(measures_of(lesson))
        print(f"\n## {lesson.title}\n\n| | {' | '.join(name for name, _ in measures)} |\n|---{'|---' * len(measures)}|")
        for scene in lesson.scenes.values():
            if scene.over is None:
                trained = [train_scene(scene, seed) for seed in seeds]
                print(f"| {scene.title} | {' | '.join(cell([measure(one) for one in trained]) for _, measure in measures)} |")
        for scene in lesson.scenes.values():
            if scene.over is not None:
                print_values(scene, len(seeds))


def print_values(scene: Scene, seeds: int) -> None:
    """The test RCA for each value of a scene with ``over``."""
    scores = train_scene(replace(scene, seeds=seeds)).scores or {}
    print(f"\n{scene.title[:1].upper()}{scene.title[1:]}:\n\n| | rca_test |\n|---|---|")
    for value, pairs in scores.items():
        print(f"| {value:g} | {cell([rca for rca, _ in pairs])} |")


def cell(values: list[float]) -> str:
    """As "0.981 ± 0.011 (0.933 to 0.996)"."""
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f} ({min(values):.3f} to {max(values):.3f})"


if __name__ == "__main__":
    main()
