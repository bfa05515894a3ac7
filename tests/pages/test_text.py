"""Words from data stay words, whatever they are."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.pages.helpers import as_text
from ui.text import in_chart, in_markdown, shortened

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
