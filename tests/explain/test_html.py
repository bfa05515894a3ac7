"""What a notebook shows of a classifier and of its rules."""

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.utils.fixes import parse_version

from tsk_core import TSKClassifier, load_dataset

HOSTILE = '<img src=x onerror="alert(1)">&</table><script>alert(2)</script>'


class Page(HTMLParser):
    """The tags of some HTML, with their attributes, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def summary():
    iris = load_dataset("iris")
    return TSKClassifier(n_rules=3, max_epochs=5, random_state=0).fit(iris.X, iris.y).rules(max_antecedents=2)


def test_rules_are_a_table_that_says_what_their_text_says(summary):
    page = Page(summary._repr_html_())
    assert [tag for tag, _ in page.tags].count("tr") == 1 + len(summary.rules)
    assert all(line in page.text for line in summary.measured_text.splitlines())
    for rule in summary.rules:
        assert all(antecedent.text in page.text for antecedent in rule.antecedents)
        assert rule.headline in page.text and all(line in page.text for line in (*rule.remarks, *rule.measured))


named = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"), reason="the diagram has no names of features"
)


@pytest.mark.parametrize(
    "shown", [pytest.param(lambda model: model, marks=named), lambda model: model.rules()], ids=["classifier", "rules"]
)
def test_names_and_classes_of_a_table_are_shown_as_text(shown):
    def page(name):
        rng = np.random.default_rng(0)
        X = pd.DataFrame({name: rng.normal(size=40), "colour": rng.choice([name, "plain"], 40)})
        y = np.where(X[name] > 0, name, "no")
        return Page(shown(TSKClassifier(n_rules=2, max_epochs=5, random_state=0).fit(X, y))._repr_html_())

    hostile, harmless = page(HOSTILE), page("name")
    assert HOSTILE in hostile.text
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in harmless.tags]
    assert [set(attributes) for _, attributes in hostile.tags] == [set(attributes) for _, attributes in harmless.tags]


def test_rules_need_nothing_from_elsewhere_and_no_mathematics(summary):
    page = Page(summary._repr_html_())
    assert {tag for tag, _ in page.tags} == {"div", "p", "br", "table", "tr", "th", "td", "b", "details", "summary"}
    assert {name for _, attributes in page.tags for name in attributes} == {"class", "style"}
    assert "mathjax_ignore" in page.tags[0][1]["class"]
