"""NA that may be a code: said with its cells where it is like the others, and a word of its own at one press."""

import json

import numpy as np
import pytest

from tests.data.check.helpers import found, taken
from tsk_core.data import CleaningPipeline, make_dataset, read_csv, read_table
from tsk_core.errors import DataError

CHECK = "NA as a code"
WORDS = {  # the words of a column -> whether NA beside them may be a code
    "EU AS SA": True, "eu as sa": True, "DE US FR GB": True, "EMEA APAC LATAM": True, "Gd TA Ex Fa": False, "yes no": False,
    "SI NO": False, "M F": False, "low mid high": False, "RED BLUE": False, "A B AB O": False, "12 15 17": False,
}  # fmt: skip


def table(words, na="NA", rows=60):
    """A CSV file of a number, a column of these words and a class; each word and NA are in as many rows, shuffled."""
    words = np.random.default_rng(1).permutation(np.resize([*words.split(), na], rows))
    return "\n".join(["size,land,kind", *(f"{k % 11},{word},{'pq'[k % 2]}" for k, word in enumerate(words))]).encode()


@pytest.mark.parametrize("words", WORDS)
def test_na_among_codes_is_said_and_kept_at_one_press(words):
    na = "na" if words.islower() and WORDS[words] else "NA"
    ds, count = read_csv(table(words, na), "kind"), 60 // (len(words.split()) + 1)
    assert len(found(ds, CHECK)) == WORDS[words]
    for finding in found(ds, CHECK):
        assert finding.fact.startswith(f"Column 'land': {count} cells are {na}, like the codes '")
        assert (finding.kind, finding.remedy.label) == ("warning", f"Keep {na} as a category")
        kept = taken(ds, finding)
        assert (kept.X["land"] == na).sum() == count and not kept.X["land"].isna().any()
        assert [note.done for note in found(kept, CHECK)] == ["Kept, as you chose."]
        saved = CleaningPipeline.from_dict(json.loads(json.dumps(kept.cleaning.to_dict())))
        assert saved == kept.cleaning and saved.apply(kept.raw[0])["land"].tolist() == kept.X["land"].tolist()
        assert "not_missing" not in json.dumps(ds.cleaning.to_dict())  # as before there were such words


@pytest.mark.parametrize("words", ["EU AS SA", "K Ca Mg", "low mid high"])
def test_a_class_that_na_would_take_away_is_said_whatever_the_others_are(words):
    na = "Na" if "Ca" in words else "NA"
    ds = read_csv(table(words, na), "land")
    (finding,) = found(ds, CHECK)
    like = "" if words.startswith("low") else ", like the codes "
    assert finding.fact.startswith(f"Column 'land': 15 cells are {na}{like}") and finding.remedy.label == f"Keep {na} as a class"
    assert len(ds.frame) == 45 and "is missing in" not in " ".join(ds.notes)
    after = taken(ds, finding)
    assert len(after.frame) == 60 and set(after.classes) == {*words.split(), na}


def test_a_single_class_beside_na_is_explained_and_numbers_have_no_codes():
    with pytest.raises(DataError, match=r"a single class, 'EU' \(the 30 cells with NA count as missing\)"):
        read_csv(table("EU"), "land")
    frame = read_table(table("1 2 3")).frame
    assert frame["land"].dtype == "float64" and frame["land"].isna().sum() == 15
    assert not found(make_dataset(frame, "kind"), CHECK)
