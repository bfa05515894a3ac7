"""Streams: whoever says how far he has its lists and values gets the rest, whatever was lost or repeated on the way."""

import json
from threading import Thread

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tsk_core.live import Stream, as_json, stream

OF, KINDS = ("a", "run b"), ("epochs", "records")


class Viewer:
    """Somebody who follows a stream: what is had of its lists and values, and how far, see ``ui/client/core/feed.js``."""

    def __init__(self):
        self.lists, self.values, self.shared, self.marks = {}, {}, {}, {}

    def receive(self, parts):
        for part in map(json.loads, parts):
            key = f"{part['kind']} {part.get('of', '')}"
            if "version" in part:
                self._take(key, part["version"], part["since"], dict(part["payload"]))
            else:
                self.values[key], self.marks[key] = part["payload"], (str(part["since"]), 1)

    def _take(self, key, version, since, payload):
        known, count = self.marks.get(key, ("", 0))
        if known != version or key not in self.marks:
            count, self.lists[key], self.shared[key] = 0, [], {}
        if since > count:
            return  # something before it is missing: it will ask
        new = payload.pop("list")[count - since :]
        self.lists[key] += new
        self.shared[key] |= payload
        self.marks[key] = version, count + len(new)


def follow(streamed, viewer):
    """Let a viewer ask until it lacks nothing; how many messages that took."""
    have, messages = dict(viewer.marks), 0
    while True:
        parts, reached = streamed.missing(have)
        if not parts:
            return messages
        have |= reached
        viewer.receive(parts)
        messages += 1


def clock():
    return iter(range(1, 10_000)).__next__


happenings = st.lists(
    st.one_of(
        st.tuples(st.just("extend"), st.sampled_from(KINDS), st.sampled_from(OF), st.lists(st.text(max_size=8), max_size=5)),
        st.tuples(st.just("begin anew"), st.sampled_from(KINDS), st.sampled_from(OF), st.lists(st.text(max_size=8), max_size=2)),
        st.tuples(st.just("set"), st.sampled_from(["about", "state"]), st.sampled_from(OF), st.integers(0, 2)),
        st.tuples(st.just("send"), st.sampled_from(["arrives", "is lost", "comes twice"])),
        st.tuples(st.just("ask")),
        st.tuples(st.just("open anew")),
    ),
    max_size=40,
)


class Server:
    """A stream beside what it should have: key -> entries, and key -> value."""

    def __init__(self):
        self.stream, self.lists, self.values, self.versions = Stream(now=clock()), {}, {}, {}

    def happen(self, what, kind, of, value):
        key = f"{kind} {of}"
        if what == "set":
            self.stream.set(kind, value, of)
            self.values[key] = value
            return
        if what == "begin anew":
            self.versions[key], self.lists[key] = self.versions.get(key, 0) + 1, []
        self.lists.setdefault(key, []).extend(value)
        shared = {"base": f"{key}, {self.versions.get(key)}"}
        self.stream.extend(kind, of, self.versions.get(key), map(as_json, value), shared)


@given(happened=happenings)
def test_a_viewer_ends_with_the_stream_whatever_was_lost_or_repeated_and_whenever_it_asked(happened):
    server, viewer, have = Server(), Viewer(), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "MOST_BYTES", 30)  # so that several messages are needed
        for what, *given_ in happened:
            if what == "send":
                parts, reached = server.stream.missing(have)
                have |= reached
                for _ in range({"arrives": 1, "is lost": 0, "comes twice": 2}[given_[0]]):
                    viewer.receive(parts)
            elif what == "ask":
                have = dict(viewer.marks)
            elif what == "open anew":
                viewer, have = Viewer(), {}
            else:
                server.happen(what, *given_)
        follow(server.stream, viewer)
    assert (viewer.lists, viewer.values) == (server.lists, server.values)
    assert viewer.shared == {key: {"base": f"{key}, {server.versions.get(key)}"} for key in server.lists}
    assert viewer.marks.keys() == server.lists.keys() | server.values.keys()
    assert follow(server.stream, viewer) == 0


@given(lengths=st.lists(st.integers(0, 50), min_size=1, max_size=30), have=st.integers(0, 30))
@example(lengths=[28, 28, 28], have=0)  # two fit exactly
def test_a_message_brings_at_least_one_entry_of_a_list_and_else_no_more_than_fit(lengths, have):
    streamed, lines = Stream(now=clock()), [as_json("x" * length) for length in lengths]
    streamed.extend("epochs", "a", "v", lines)
    marks, seen = {"epochs a": ("v", min(have, len(lines)))}, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "MOST_BYTES", 60)
        while True:
            parts, reached = streamed.missing(marks)
            if not parts:
                break
            ((_, brought),) = [(part, part["payload"]["list"]) for part in map(json.loads, parts)]
            assert len(brought) == 1 or sum(map(len, map(as_json, brought))) <= 60
            marks |= reached
            seen += brought
            rest = lines[marks["epochs a"][1] :]  # and not one less than fit
            assert not rest or len(brought) >= 1 and sum(map(len, map(as_json, brought))) + len(rest[0]) > 60
    assert seen == [json.loads(line) for line in lines[min(have, len(lines)) :]]


def test_large_lists_of_several_runs_come_bit_by_bit_beside_each_other():
    streamed, entry = Stream(now=clock()), as_json("x" * 300_000)
    for run in "ab":
        streamed.extend("snapshots", run, 1, [entry] * 4)
    parts, reached = streamed.missing({})
    assert all(len(part) < 1_000_000 for part in parts)
    assert reached == {"snapshots a": ("1", 3), "snapshots b": ("1", 3)}
    viewer = Viewer()
    assert follow(streamed, viewer) == 2
    assert [len(viewer.lists[f"snapshots {run}"]) for run in "ab"] == [4, 4]


@pytest.mark.parametrize("marks", [("other", 2), ("v", 9), ("v", -1), ("", 0)])
def test_a_list_comes_from_its_beginning_where_the_viewer_has_another_one_or_more_of_it_than_there_is(marks):
    streamed = Stream(now=clock())
    streamed.extend("epochs", "a", "v", ["1", "2"], {"base": "shared"})
    (part,), reached = streamed.missing({"epochs a": marks})
    assert json.loads(part) == {
        "kind": "epochs", "of": "a", "version": "v", "since": 0, "payload": {"list": [1, 2], "base": "shared"},
    }  # fmt: skip
    assert reached == {"epochs a": ("v", 2)}


def test_a_list_that_began_anew_replaces_the_other_one_before_it_has_entries():
    streamed, viewer = Stream(now=clock()), Viewer()
    streamed.extend("epochs", "a", 1, ["1", "2"])
    follow(streamed, viewer)
    streamed.extend("epochs", "a", 2, [])
    assert follow(streamed, viewer) == 1
    assert viewer.lists == {"epochs a": []}
    assert (streamed.count("epochs", "a", 1), streamed.count("epochs", "a", 2), streamed.count("epochs", "b", 2)) == (0, 0, 0)
    streamed.extend("epochs", "a", 2, ["3"], {"base": "shared"})
    assert (streamed.count("epochs", "a", 1), streamed.count("epochs", "a", "2")) == (0, 1)
    follow(streamed, viewer)
    assert (viewer.lists, viewer.shared) == ({"epochs a": [3]}, {"epochs a": {"base": "shared"}})


def test_what_entries_share_comes_with_the_first_ones_alone():
    streamed, viewer = Stream(now=clock()), Viewer()
    streamed.extend("snapshots", "a", 1, ["1"], {"base": {"classes": ["x"]}})
    follow(streamed, viewer)
    streamed.extend("snapshots", "a", 1, ["2"], {"base": {"classes": ["x"]}})
    (part,), _ = streamed.missing(viewer.marks)
    assert json.loads(part)["payload"] == {"list": [2]}


def test_a_value_has_the_moment_of_its_change():
    streamed, moments = Stream(now=clock()), []
    for n in (0, 0, 1, 1, 0):
        streamed.set("sweep", {"n": n})
        ((part,), _) = streamed.missing({})
        moments.append((json.loads(part)["since"], json.loads(part)["payload"]))
    assert moments == [(1, {"n": 0}), (1, {"n": 0}), (2, {"n": 1}), (2, {"n": 1}), (3, {"n": 0})]
    assert "of" not in json.loads(part)


@pytest.mark.parametrize("times", [[5, 5, 5], [5, 3, 1]])
def test_a_value_that_changes_faster_than_the_clock_goes_or_after_it_was_set_back_is_sent(times):
    streamed, viewer = Stream(now=iter(times).__next__), Viewer()
    for value in range(3):
        streamed.set("about", value)
        follow(streamed, viewer)
        assert viewer.values == {"about ": value}
    assert viewer.marks == {"about ": ("7", 1)}


def test_a_viewer_gets_a_value_once_and_again_after_each_change():
    streamed, viewer = Stream(now=clock()), Viewer()
    streamed.set("about", {"ended": False}, "a")
    assert [follow(streamed, viewer) for _ in range(2)] == [1, 0]
    streamed.set("about", {"ended": False}, "a")
    assert follow(streamed, viewer) == 0
    streamed.set("about", {"ended": True}, "a")
    assert (follow(streamed, viewer), viewer.values) == (1, {"about a": {"ended": True}})


def test_the_revision_grows_with_each_change_and_only_then():
    streamed, seen = Stream(now=clock()), []
    for change in (
        lambda: streamed.set("about", 1), lambda: streamed.set("about", 1), lambda: streamed.set("about", 2),
        lambda: streamed.extend("epochs", "a", 1, []), lambda: streamed.extend("epochs", "a", 1, []),
        lambda: streamed.extend("epochs", "a", 1, ["1"]), lambda: streamed.extend("epochs", "a", 2, []),
        lambda: streamed.extend("epochs", "a", 2, [], {"base": 1}), lambda: streamed.extend("epochs", "a", 2, [], {"base": 1}),
    ):  # fmt: skip
        before = streamed.revision
        change()
        seen.append(streamed.revision > before)
    assert seen == [True, False, True, True, False, True, True, True, False]


@given(happened=happenings)
def test_all_parts_at_once_are_those_of_all_messages(happened):
    server, have = Server(), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "MOST_BYTES", 30)
        for what, *given_ in happened:
            if what in ("extend", "begin anew", "set"):
                server.happen(what, *given_)
        at_once = server.stream.parts(have)
        viewer = Viewer()
        messages = follow(server.stream, viewer)
        assert server.stream.parts(dict(have)) == []
    beside = Viewer()
    beside.receive(map(as_json, at_once))
    assert (beside.lists, beside.values, beside.shared) == (viewer.lists, viewer.values, viewer.shared)
    assert have == beside.marks == viewer.marks and messages <= len(at_once)


def test_names_of_runs_and_texts_are_as_they_were_given():
    streamed, of = Stream(now=clock()), 'a "run" of ünïts\\'
    streamed.set("about", "é\u2028\n", of)
    streamed.extend("epochs", of, 'version "2"', [as_json("é\u2028")])
    value, listed = streamed.parts()
    assert (value["of"], value["payload"]) == (of, "é\u2028\n")
    assert (listed["of"], listed["version"], listed["payload"]["list"]) == (of, 'version "2"', ["é\u2028"])


def test_threads_may_extend_set_and_ask_at_once():
    streamed, viewers = Stream(), [Viewer() for _ in range(3)]

    def work(run):
        for k in range(200):
            streamed.extend("epochs", run, 1, [str(k)])
            streamed.set("about", k, run)

    def look(viewer):
        for _ in range(100):
            follow(streamed, viewer)

    threads = [Thread(target=work, args=(run,)) for run in "ab"] + [Thread(target=look, args=(viewer,)) for viewer in viewers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for viewer in viewers:
        follow(streamed, viewer)
        assert viewer.lists == {f"epochs {run}": list(range(200)) for run in "ab"}
        assert viewer.values == {f"about {run}": 199 for run in "ab"}


def test_numbers_that_json_does_not_have_are_null_and_words_like_them_stay():
    stream = Stream()
    stream.set("value", {"a": float("inf"), "b": "NaN"})
    stream.extend("lines", "run", "", ['{"gradient":-Infinity,"name":"Infinity"}', '{"gradient":NaN}', '{"gradient":1.5}'])
    value, lines = (part["payload"] for part in stream.parts())
    assert value == {"a": None, "b": "NaN"}
    assert lines["list"] == [{"gradient": None, "name": "Infinity"}, {"gradient": None}, {"gradient": 1.5}]
