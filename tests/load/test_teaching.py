"""A class of thirty on the page Learn. What is timed is printed; what is asked is that all arrive and all see the end."""

import sys

import pytest

from tests.load.figures import percentiles
from tests.load.server import Server
from tests.load.teaching import LESSON, teach

pytestmark = pytest.mark.slow


def test_thirty_learners_predict_and_all_see_what_their_teacher_reveals(tmp_path):
    (tmp_path / "quick.yaml").write_text(LESSON)
    with Server(tmp_path, TSK_LESSONS_DIR=str(tmp_path), TSK_WORKERS="1") as server:
        seen = teach(server, 30)
        assert not server.end(), "the app left processes behind"
    for name in ("arrive", "lock", "reveal"):
        print(f"{name}: {percentiles(getattr(seen, name))}", file=sys.stderr)
    print(f"processor time a second while all wait: {seen.waiting:.3f} s", file=sys.stderr)
    assert (len(seen.kept), seen.shown, seen.errors) == (30, 30, [])
    assert "The page failed" not in server.log.read_text(), server.log.read_text()
