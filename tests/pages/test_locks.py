"""Links that leave a few controls: what they hide, what stays as it is, and what a wrong link says."""

import re

import pytest

from tests.pages.helpers import as_text, drawn_alone, open_page, values
from tsk_core.settings import SETTINGS

KEYS = [one.key for one in SETTINGS.values() if one.key]
SHOWN = {"bn-words" if key == "bn" else key for key in KEYS}  # people see its words in place of the names in links


def locking():
    from ui.settings.link import apply_lock

    apply_lock()


def applied(lock):
    """What a page draws of the lock."""
    return drawn_alone(locking, lock=lock)


def style(app):
    """The style of the lock; "" where nothing is locked."""
    return "".join(block.proto.body for block in app.get("html") if "lock_note" in block.proto.body)


def left(app):
    """The controls that the style leaves."""
    (kept,) = re.findall(r":not\((\.st-key-lock_note.*?)\),", style(app))
    return set(re.findall(r"st-key-([\w-]+)", kept)) - {"lock_note", "steering"}


def infos(app):
    return " ".join(as_text(one.value) for one in app.info)


def test_a_lock_leaves_the_controls_that_it_names_and_every_value_on_each_page_and_opens_their_box():
    assert style(open_page()) == ""
    app = open_page(lock="rules, ur", rules="7", lr="0.02")
    assert not app.exception and not app.error
    assert left(app) == {"rules", "ur"}
    assert (values(app)["rules"], values(app)["lr"]) == (7, 0.02)
    assert infos(app) == ""
    app.query_params.clear()
    app.switch_page("pages/sweep.py").run()
    assert left(app) == {"rules", "ur"}
    opened = {one.label.partition(" ·")[0]: one.proto.expanded for one in open_page(lock="lr").expander}
    assert (opened["More settings"], opened["Readable rules"]) == (True, False)


def test_all_controls_can_be_hidden_and_every_setting_can_be_left():
    for lock in ("none", "", ","):
        app = applied(lock)
        assert left(app) == set() and infos(app) == ""
    assert left(applied(",".join(KEYS))) == SHOWN


@pytest.mark.parametrize("lock", ["zz", "</style><script>alert(1)</script>", "rules{}*", "x" * 5000, "\x00", "*"])
def test_an_unknown_control_is_told_and_never_becomes_style(lock):
    app = applied(lock)
    assert left(app) == set()
    assert "which is not a control" in infos(app)
    assert lock[:10] not in style(app).replace(" *", "")
