"""The handout of a lesson: one sheet of A4, which loads nothing and in which all text stays text."""

import re
from html import unescape

import pytest

from tests.chromium import running
from tests.load.teaching import LESSON
from tsk_core.lessons import lessons
from tsk_core.lessons.library import BUILT_IN
from tsk_core.lessons.reading import read_lesson
from ui.learn.handout import handout

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"
REGION = """
  kind: region
  features: [petal length (cm), petal width (cm)]
  grid: 12
  outcome: {measure: strongest_rule, scene: plain, rule: 2}
"""


def text_of(html):
    body = re.sub(r"<style>.*?</style>", "", html.decode(), flags=re.S)
    return unescape(re.sub(r"<[^>]+>", " ", body))


def of_kind(lines):
    """The lesson with another prediction; its text is kept."""
    before, _, after = LESSON.partition("  kind: bars\n")
    return read_lesson(before + lines.strip("\n") + "\n" + after[after.index("run:") :])


def pages(browser, html):
    page = browser.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(html.decode())
    found = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True)))
    page.close()
    assert not [url for url in requests if not url.startswith("data:")]
    return found


def test_a_handout_asks_what_the_lesson_asks_and_tells_no_answer_of_any_kind():
    html = handout(read_lesson(LESSON))
    for asked in ("Quick", "Three rules.", "How much does each rule fire at the end?", "More", "Less", "The bound."):
        assert asked in text_of(html)
    assert b"right" not in re.sub(rb"<style>.*?</style>|data:[^\"]*", b"", html, flags=re.S)
    choice = "  kind: choice\n  options: [{text: Up, right: true, why: So it is.}, {text: Down}]\n"
    assert "Up" in text_of(handout(of_kind(choice))) and "So it is" not in text_of(handout(of_kind(choice)))
    assert b"data:image/svg+xml" in handout(of_kind(REGION))


def test_a_formula_has_blanks_for_its_numbers():
    text = LESSON.replace("formula: {text: The bound., latex: '1/R'}", """formula:
  text: "It is [[top:.2f]]."
  latex: '[[top]] \\le 1/R \\unknowncommand'
  numbers: {top: {measure: largest_share, scene: plain}}""")  # fmt: skip
    said = text_of(handout(read_lesson(text)))
    assert "It is ______." in said and "[[" not in said
    assert r"\_\_\_\_\_ \le 1/R \unknowncommand" in said  # what cannot be drawn stands there as it was typed


def test_text_of_a_lesson_never_becomes_markup():
    lesson = read_lesson(LESSON.replace("title: Quick", f"title: {EVIL!r}").replace("text: Three rules.", f'text: "{EVIL}"'))
    html = handout(lesson)
    assert b"<script" not in html and b"<img src=x" not in html
    assert EVIL in text_of(html)


@pytest.mark.parametrize("lesson", lessons(BUILT_IN)[0].values(), ids=lambda lesson: lesson.name)
def test_the_formula_of_each_lesson_can_be_drawn(lesson):
    assert b'class="formula"><img' in handout(lesson)


@pytest.mark.browser
@pytest.mark.slow
def test_each_handout_is_one_page_of_a4():
    known = [*lessons(BUILT_IN)[0].values(), read_lesson(LESSON), of_kind(REGION)]
    with running() as browser:
        assert {lesson.name: pages(browser, handout(lesson)) for lesson in known} == {lesson.name: 1 for lesson in known}
