"""Quotas: each explained, each changeable by its variable, each holding exactly at its edge."""

import tomllib
from pathlib import Path

import pytest

from tsk_core import limits
from tsk_core.errors import LimitError, SettingError
from tsk_core.limits import LIMITS
from tsk_core.settings import SETTINGS

SHARED = ("files_mb", "files_mb_per_address", "tables_mb", "tables_mb_per_address")
every_limit = pytest.mark.parametrize("name", LIMITS)


@every_limit
def test_a_limit_is_explained_and_what_its_variable_says(name, monkeypatch):
    assert LIMITS[name].name == name and LIMITS[name].help.endswith(".") and LIMITS[name].default >= 1
    monkeypatch.delenv(LIMITS[name].variable, raising=False)
    assert limits.value(name) == LIMITS[name].default
    monkeypatch.setenv(LIMITS[name].variable, " 7 ")
    assert limits.value(name) == 7


@pytest.mark.parametrize("text", ["", "many", "0", "-1", "1.5", "1e3", "inf"])
@every_limit
def test_a_variable_that_is_no_whole_number_is_refused_by_name(name, text, monkeypatch):
    monkeypatch.setenv(LIMITS[name].variable, text)
    with pytest.raises(SettingError, match=LIMITS[name].variable):
        limits.value(name)


@pytest.mark.parametrize("variable", ["TSK_MAX_RUN_SECONDS", "TSK_KEEP_DAYS"])
def test_a_server_refuses_a_wrong_variable_before_it_serves_anybody(variable, monkeypatch):
    limits.check_environment()
    monkeypatch.setenv(variable, "10m")
    with pytest.raises(SettingError, match=f"{variable} is '10m'"):
        limits.check_environment()


@every_limit
def test_a_limit_holds_exactly_at_its_edge(name, monkeypatch):
    monkeypatch.setenv(LIMITS[name].variable, "1000")
    limits.check(name, 1000, "Toys")
    with pytest.raises(LimitError, match=rf"^Toys: 1,001 is above this server's limit of 1,000; .* {LIMITS[name].variable}\.$"):
        limits.check(name, 1001, "Toys")


@pytest.mark.parametrize(
    ("too_much", "sentence"),
    [
        ({"n_rules": 201}, "Rules: 201"),
        ({"n_trainings": 100, "batch_size": 8192}, "Estimated memory"),
        ({"n_classes": 101}, "Classes: 101"),
        ({"n_rows": 10**7}, "Estimated memory"),
    ],
)
def test_a_training_too_large_is_refused_before_anything_is_allocated(too_much, sentence, monkeypatch):
    for limit in LIMITS.values():
        monkeypatch.delenv(limit.variable, raising=False)
    fits = {"n_rules": 200, "batch_size": 64, "n_rows": 5000, "n_features": 20, "n_classes": 5}
    limits.check_training(**fits)
    with pytest.raises(LimitError, match=f"^{sentence}"):
        limits.check_training(**fits | too_much)


def test_pages_and_streamlit_are_set_to_the_same_limits_and_no_two_share_a_variable():
    settings = tomllib.loads((Path(__file__).parents[1] / ".streamlit" / "config.toml").read_text())
    assert settings["server"]["maxUploadSize"] == LIMITS["upload_mb"].default
    assert SETTINGS["n_rules"].high == LIMITS["rules"].default
    assert len({limit.variable for limit in LIMITS.values()}) == len(LIMITS)


def test_processes_share_the_bounds_of_uploads_and_tables_with_room_for_the_largest_file_and_table(monkeypatch):
    assert limits.shared_out(1) == {LIMITS[name].variable: str(LIMITS[name].default) for name in SHARED}
    for name in ("files_mb", "tables_mb"):
        assert 3 * int(limits.shared_out(3)[LIMITS[name].variable]) == limits.value(name)
    monkeypatch.setenv("TSK_MAX_UPLOAD_MB", "40")
    assert limits.shared_out(64) == {
        "TSK_MAX_FILES_MB": "40", "TSK_MAX_FILES_MB_PER_ADDRESS": "40",
        "TSK_MAX_TABLES_MB": "100", "TSK_MAX_TABLES_MB_PER_ADDRESS": "100",
    }  # fmt: skip
