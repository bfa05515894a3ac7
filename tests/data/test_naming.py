"""Names as parts of a sentence."""

import pytest

from tsk_core.data.naming import joined, listed


@pytest.mark.parametrize(("words", "text"), [("", ""), ("a", "a"), ("ab", "a and b"), ("abc", "a, b and c")])
def test_words_are_joined_by_commas_and_one_word(words, text):
    assert joined(words) == text
    assert joined(iter(words), "or") == text.replace(" and ", " or ")
    assert listed(words).replace("'", "") == text
