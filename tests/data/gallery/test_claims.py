"""The cards' figures are those of docs/claims.md, which ``python -m benchmarks.claims`` makes."""

import re
from pathlib import Path

import pytest

import tsk_core
from tsk_core.data.gallery import GALLERY
from ui.presets import PRESETS

CLAIMS = (Path(tsk_core.__file__).parents[1] / "docs" / "claims.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", CLAIMS, re.DOTALL | re.MULTILINE))
PRINTED = {"segment": {"0.938", "0.576"}}  # figures of the study, and of the paper
ELSEWHERE = {"waveform": "Waveform"}  # cards that quote a figure of another card


WITH_FIGURES = [entry for entry in GALLERY.values() if re.search(r"\d\.\d{3}", entry.good_for)]


@pytest.mark.parametrize("entry", WITH_FIGURES, ids=lambda entry: entry.name)
def test_each_figure_of_a_card_was_measured(entry):
    tables = SECTIONS[entry.title] + SECTIONS.get(ELSEWHERE.get(entry.name, ""), "")
    measured = {figure.lstrip("+-") for figure in re.findall(r"[-+]?\d\.\d{3}", tables.replace(entry.good_for, ""))}
    assert set(re.findall(r"\d\.\d{3}", entry.good_for)) - PRINTED.get(entry.name, set()) <= measured


def test_each_preset_was_measured():
    assert all(preset.title in CLAIMS for preset in PRESETS)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_each_figure_of_a_preset_was_measured(preset):
    text = re.sub(r"\b[A-Zα-ω]+ = [\d.e-]+", "", f"{preset.watch} {preset.why}")  # settings, such as η = 0.001
    title = "Rich get richer" if preset.name == "ur" else preset.title
    measured = {figure.lstrip("+-") for figure in re.findall(r"[-+]?\d+\.\d{3}", SECTIONS[title].split("\n| ", 1)[1])}
    assert set(re.findall(r"\d\.\d{3}", text)) <= measured
    rounded = {f"{float(figure):.1f}" for figure in measured}
    assert set(re.findall(r"(?<![\d.])\d+\.\d(?![\d.])", re.sub(r"(below|least) 0\.1", "", text))) <= rounded
