"""What is computed once: the key has all that it depends on, and who waits for another session lets pages be drawn."""

import threading
import time
from dataclasses import replace

import pytest

from tests.pages.comparisons import make_plan
from tests.tables import pets
from tests.waiting import wait_until
from tsk_core.data import Choices, load_dataset, read_csv
from ui.data.source import from_gallery
from ui.experiments.runs import experiment_file, experiment_name
from ui.platform import caches, session
from ui.platform.caches import once_per_server, once_per_session, table_key


@pytest.fixture
def state(monkeypatch):
    """The state of a session, without a page."""
    state = {}
    monkeypatch.setattr(session.st, "session_state", state)
    return state


@pytest.fixture
def computed(state):
    """The arguments that the function ``double`` was computed for, and the function."""
    calls = []

    @once_per_session(entries=2)
    def double(*args, **named):
        calls.append(args)
        return [args, named]

    return calls, double


def test_a_result_is_computed_once_for_each_combination_of_arguments(computed):
    calls, double = computed
    plan, iris, wine = make_plan(), load_dataset("iris"), load_dataset("wine")
    first = double(plan, iris, "mean", metric="bca")
    assert double(make_plan(), load_dataset("iris"), "mean", metric="bca") is first and len(calls) == 1
    others = [(make_plan(seeds=5), iris, "mean"), (plan, wine, "mean"), (plan, iris, "last"), (plan, iris, 1), (plan, iris, True)]
    results = [double(*args, metric="bca") for args in others]
    assert len(calls) == 1 + len(others) == 1 + len({id(one) for one in results})
    assert double(plan, iris, "mean", metric="rca") is not first


def test_the_least_recent_results_go_and_each_session_computes_its_own(computed, monkeypatch):
    calls, double = computed
    for number in (1, 2, 3, 3, 2, 1):
        double(number)
    assert calls == [(1,), (2,), (3,), (1,)]
    monkeypatch.setattr(session.st, "session_state", {})
    double(1)
    assert calls[4:] == [(1,)]


def test_a_mapping_counts_as_the_same_until_it_grows_and_what_nothing_stands_for_is_refused(computed):
    calls, double = computed
    points, others = {0: "a"}, {0: "a"}
    assert double(points) is double(points) is not double(others)
    points[1] = "b"
    double(points)
    assert len(calls) == 3
    with pytest.raises(TypeError, match="say in ui/platform/caches.py what stands for one"):
        double(object())


def test_all_sessions_share_what_the_server_computes_once():
    calls, started, free = [], threading.Event(), threading.Event()

    @once_per_server(entries=2)
    def slow(number):
        calls.append(number)
        started.set()
        assert free.wait(60)
        return [number]

    found = []
    threads = [threading.Thread(target=lambda: found.append(slow(1))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert started.wait(60)
    free.set()
    for thread in threads:
        thread.join()
    assert calls == [1] and found[0] is found[1] is found[2]
    assert [slow(number) for number in (2, 3, 1)] == [[2], [3], [1]] and calls == [1, 2, 3, 1]


def test_after_a_failure_the_next_one_computes_and_nobody_beside_it():
    begun, outcomes = [], iter([OSError("full"), 1, 2, 3])
    (failing, second, third), found = (threading.Event() for _ in range(3)), []

    @once_per_server(entries=1)
    def compute():
        begun.append(next(outcomes))
        if len(begun) == 1:
            failing.wait(30)
            raise begun[0]
        if len(begun) == 2:
            second.set()
            third.wait(0.3)  # long enough for one who comes now to compute beside it, where nothing holds it up
        else:
            third.set()
        return begun[-1]

    def ask():
        try:
            found.append(compute())
        except OSError:
            found.append(None)

    def started():
        thread = threading.Thread(target=ask)
        thread.start()
        return thread

    threads = [started()]
    wait_until(lambda: begun)
    threads.append(started())
    time.sleep(0.05)  # so that it waits already; in any other order the test passes, too
    failing.set()
    assert second.wait(30)
    threads.append(started())
    for thread in threads:
        thread.join(30)
    assert not third.is_set() and len(begun) == 2 and sorted(found, key=str) == [1, 1, None]


def test_a_dataset_with_another_split_is_another_one_for_training():
    dataset = read_csv(pets(header="size,visit,species"), target="species")
    plan = make_plan()
    others = [dataset.with_choices(Choices(target="species", roles={"visit": role})) for role in ("ignored", "group")]
    ignored, grouped = others
    assert ignored.sha256 == grouped.sha256  # the same cells
    assert table_key(ignored) != table_key(grouped) and experiment_name(plan, ignored) != experiment_name(plan, grouped)


def test_the_name_of_a_file_has_dataset_and_plan():
    plan, iris = make_plan(), load_dataset("iris")
    odd = replace(iris, name="../Überwachung: 1/2 <b>")
    names = {experiment_file(plan, iris, "comparison"), experiment_file(make_plan(seeds=5), iris, "comparison")}
    assert len(names) == 2 and all(name.startswith("comparison-iris-") for name in names)
    assert experiment_file(plan, odd, "sweep").startswith("sweep-Überwachung-1-2-b-")
    assert experiment_file(plan, replace(iris, name="…"), "sweep").startswith("sweep-table-")
    assert caches.table_key(iris) == caches.table_key(odd)


def test_a_file_of_the_data_folder_is_read_again_once_it_has_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_DATA_DIR", str(tmp_path))
    rows = "".join(f"{k % 7},{'xy'[k % 2]}\n" for k in range(40))
    (tmp_path / "Mine.csv").write_text(f"a,class\n{rows}")
    first = from_gallery("Mine")
    assert from_gallery("Mine") is first
    (tmp_path / "Mine.csv").write_text(f"a,class\n{rows}8,x\n")
    assert len(from_gallery("Mine").y) == 41
