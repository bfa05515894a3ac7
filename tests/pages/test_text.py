"""Words from data stay words, whatever they are."""

import html
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.pages.helpers import as_text
from ui.text import in_chart, in_markdown, shortened, shortened_names

SIGNS = "\\`*_{}[]()#+-.!|<>$~:&^=@"
HOSTILE = [
    "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "![x](http://evil.example/x.png)", "$x$", "H~2~O",
    "**bold** _it_ ~~no~~", ":red[x] :material/home: :smile:", "# heading", "1. one", "- one", "> quote", "    code",
    "a | b\n--|--\n1 | 2", "```\ncode\n```", "&lt;b&gt;", "[^1]: note", "http://evil.example", "=cmd()", "\\", "\\\\*x*",
    "a\tb\r\nc", "line\u2028separator", "%{y}<br>",
]  # fmt: skip
texts = st.text() | st.text(st.sampled_from(SIGNS + " ab1\n\t\\")) | st.sampled_from(HOSTILE)


def one_line(text):
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("show", [in_markdown, in_chart, lambda text: shortened(text, 40)])
def test_no_name_changes_the_direction_of_what_follows(show):
    assert not set(show("a\u202eb\u2066c\u2069d\u202c")) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(texts)
@example("\\*")
def test_no_sign_with_a_meaning_in_markdown_is_left_bare(text):
    assert re.fullmatch(rf"(?:\\[{re.escape(SIGNS)}]|[^{re.escape(SIGNS)}])*", in_markdown(text))


@given(texts)
def test_a_reader_of_markdown_sees_the_text_itself_on_one_line(text):
    assert as_text(in_markdown(text)) == one_line(text).replace("\u2060", "")
    assert len(in_markdown(text).splitlines()) <= 1


@given(texts, st.integers(1, 60))
def test_a_chart_gets_no_tags_and_shows_the_text_itself(text, most):
    label = in_chart(text, most)
    assert "<" not in label and ">" not in label
    assert re.fullmatch(r"(?:&(?:amp|lt|gt);|[^&])*", label)
    assert html.unescape(label) == shortened(text, most)


@given(texts, st.integers(1, 60))
def test_shortened_text_is_as_long_as_asked_and_says_where_it_was_cut(text, most):
    short = shortened(text, most)
    assert len(short) <= most
    assert short == one_line(text) or (short.endswith("…") and one_line(text).startswith(short[:-1]))


@pytest.mark.parametrize("value", [3, 2.5, None, True, b"x"])
def test_what_is_no_text_is_shown_as_python_prints_it(value):
    assert as_text(in_markdown(value)) == in_chart(value) == str(value)


@pytest.mark.parametrize(
    "case", json.loads((Path(__file__).parents[1] / "vectors/names.json").read_text("utf-8")), ids=lambda case: case["says"]
)
def test_names_that_would_look_the_same_show_what_tells_them_apart(case):
    """By examples that the browser is tested with, too (client/text.test.js)."""
    assert shortened_names(case["names"], case["most"]) == case["shown"]


@given(
    st.text("ab c", max_size=60), st.lists(st.text("ab c", max_size=60), min_size=2, max_size=2, unique=True), st.integers(8, 40)
)
def test_two_names_are_told_apart_in_the_room_there_is(start, ends, most):
    names = [one_line(start + end) for end in ends]
    shown = shortened_names(names, most)
    assert all(len(name) <= most for name in shown)
    assert (len(set(shown)) == 1) == (names[0] == names[1])
    assert all(text == name for text, name in zip(shown, names, strict=True) if len(name) <= most)
