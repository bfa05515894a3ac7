"""What a session's browser is sent: of lists what is new, of values the newest; everything again where it lacks something."""

from tsk_core.errors import RunError
from ui.live import Feed


def sent(feed, entries, version="", **shared):
    part = feed.entries("epochs", "run", version, entries, str, **shared)
    return part["since"], part["payload"]["list"]


def test_each_message_repeats_what_the_last_ones_brought_and_what_all_entries_share_comes_with_the_first():
    feed = Feed()
    assert [sent(feed, [1, 2]) for _ in range(2)] == [(0, ["1", "2"])] * 2
    assert sent(feed, [1, 2, 3]) == (0, ["1", "2", "3"])
    assert sent(feed, [1, 2, 3]) == (2, ["3"]) == sent(feed, [1, 2, 3]) != sent(feed, [1, 2, 3]) == (3, [])
    feed = Feed()
    shared = [feed.entries("epochs", "run", "", [1], str, fields=["a"])["payload"].get("fields") for _ in range(4)]
    assert shared == [["a"]] * 3 + [None]


def test_a_list_is_sent_from_its_beginning_where_it_is_another_one_or_something_is_missing():
    feed = Feed()
    for _ in range(4):
        sent(feed, [1, 2], "first attempt")
    assert sent(feed, [1, 2], "second attempt") == (0, ["1", "2"])
    feed = Feed()
    for entries in ([1, 2, 3], [1, 2], [1, 2, 9]):
        part = feed.entries("epochs", "run", "attempt", entries, str)
        assert (part["since"], part["payload"]["list"]) == (0, [str(entry) for entry in entries])
    assert part["version"] != "attempt"
    feed = Feed()
    for _ in range(4):
        sent(feed, [1, 2])
    feed.forget()
    assert sent(feed, [1, 2]) == (0, ["1", "2"])


def test_a_list_that_is_read_bit_by_bit_is_sent_once_also_where_it_could_not_be_read_for_a_while():
    feed, positions = Feed(), []

    def read(position):
        positions.append(position)
        return {"list": [position], "more": True}, (position or 0) + 5

    parts = [feed.next_entries("snapshots", "run", "", read) for _ in range(3)]
    assert [(part["since"], part["payload"]["list"]) for part in parts] == [(0, [None]), (1, [5]), (2, [10])]
    assert positions == [None, 5, 10] and parts[0]["payload"]["more"]
    feed = Feed()

    def damaged(position):
        raise RunError("The file is damaged.")

    part = feed.next_entries("snapshots", "run", "", damaged)
    assert part["payload"] == {"list": [], "error": "The file is damaged."}
    assert feed.next_entries("snapshots", "run", "", lambda position: ({"list": [position]}, 1))["payload"]["list"] == [None]


def test_a_list_that_is_read_bit_by_bit_replaces_what_the_browser_has_once_it_is_sent_again():
    """Its entries may come in another order: those of the model kept stand first then, which come last while a run trains."""
    feed, ended = Feed(), False

    def read(position):
        return {"list": ["kept", 1, 2] if ended else [1, 2]}, 2

    first = feed.next_entries("ruleBases", "run", "attempt", read)
    ended = True
    feed.forget()
    again = feed.next_entries("ruleBases", "run", "attempt", read)
    assert (again["since"], again["payload"]["list"]) == (0, ["kept", 1, 2])
    assert first["version"] == "attempt" != again["version"]
    feed.forget()
    assert feed.next_entries("ruleBases", "run", "attempt", read)["version"] not in ("attempt", again["version"])


def test_a_value_has_the_moment_of_its_change():
    clock = iter(range(1, 9))
    feed = Feed(now=lambda: next(clock))
    assert [feed.value("sweep", {"n": n})["since"] for n in (0, 0, 1, 1, 0)] == [1, 1, 2, 2, 3]
    assert [feed.value("about", 0, of)["since"] for of in "abab"] == [4, 5, 4, 5]
