"""The paper's twelve datasets: where OpenML has them, and whether a table is the one of the paper.

A file ``<name>.csv`` in a folder of TSK_DATA_DIR takes precedence; else the table is fetched from OpenML once. Its hash is
compared with that of the paper's table, and a Finding reports a difference.
"""

from collections.abc import Callable

import pandas as pd

from tsk_core.data.finding import Finding
from tsk_core.data.gallery.canonical import canonical_hash
from tsk_core.data.gallery.conversions import abalone, clave, magic, waveform, with_class_names
from tsk_core.data.gallery.entry import Card, Entry
from tsk_core.data.gallery.folders import csv_files
from tsk_core.data.gallery.openml import Pin, fetch
from tsk_core.data.reading import read_table

__all__ = ["DIGESTS", "PAPER", "PINS"]

PINS = {
    "vehicle": Pin("vehicle", 1, 54),
    "biodeg": Pin("qsar-biodeg", 1, 1494),
    "drd": Pin("diabetic_retinopathy_debrecen", 1, verified=False),
    "yeast": Pin("yeast", 1, 181),
    "steel": Pin("steel-plates-fault", 3, 40982),  # version 1, number 1504, has two classes
    "segment": Pin("segment", 1, 36),  # number 40984 lacks features
    "abalone": Pin("abalone", 1, 183),
    "waveform": Pin("waveform-5000", 1, 60),
    "page-blocks": Pin("page-blocks", 1, 30),
    "satellite": Pin("satellite_image", 1, 294),  # "satimage", number 182, lacks five rows
    "clave": Pin("Firm-Teacher_Clave-Direction_Classification", 1, verified=False),
    "magic": Pin("MagicTelescope", 1, 1120),
}

DIGESTS = {  # canonical_hash of the paper's tables
    "vehicle": "712cde3f3acbe6ed407db42deb0a7d97aa0997218b6444926c391bbbaf245e51",
    "biodeg": "c4b66f4b9bdbbc1d76f4437fe16c46c88c17d82d95c17f934b6ebc5d38507f3d",
    "drd": "9f3314b493c5c232499d41da51659d5fb11c593448e6f23e32beb81bf4bbf938",
    "yeast": "ac6a144b1d29f562d07a6b687124f2c3ff7df5f18aacd74fc5f65f15f67cb866",
    "steel": "22913aae878721af44b076fac157b261fd06e5ed64dab97c290c81a160fe5ee3",
    "segment": "a8d89784aa624794dd4d631fdfda887542c43f6f1311d3c39fef1e65de05da60",
    "abalone": "a5ab0d051fb13bc4893d40c679483f890b5567afc53e19c433c60cb2b63783dc",
    "waveform": "3f65cf8e17090feed52eeef763c232ce93ffcbebc11b6f334a64ff4edd25a960",
    "page-blocks": "f95e6e3be83164687a5664026ebfea96f5121d7c94dabd1ff544d625f6899238",
    "satellite": "6a1d4c4751bf8ea33f4de78b7e84566c64e7ee19c974b9b383794a2cac0c884c",
    "clave": "ff322bed503ee9a662e774188fcb17d1afee21adf294b04789c6a19bf0670d7f",
    "magic": "e4ee7ada4ef7c89f7f5b9c948aee9e329a623a907d09e18c750f8f0418b078f6",
}


def _entry(card: Card, cited: str, uci: int, convert: Callable[[pd.DataFrame], pd.DataFrame]) -> Entry:
    def loader() -> tuple[pd.DataFrame, tuple[Finding, ...]]:
        if path := csv_files().get(card.name):
            raw = read_table(path)
            frame, how = raw.frame, raw.findings
        else:
            frame = convert(fetch(PINS[card.name], card.name))
            how = (Finding(f"Fetched from OpenML: {PINS[card.name]}.", kind="note"),)
        return frame, (*how, *_differences(frame, entry, fetched=path is None))

    source = f"UCI Machine Learning Repository: {cited}, https://archive.ics.uci.edu/dataset/{uci}"
    entry = Entry(*card, "paper", source, "CC BY 4.0", loader)
    return entry


def _differences(frame: pd.DataFrame, entry: Entry, *, fetched: bool) -> tuple[Finding, ...]:
    """A warning that names the differences, or nothing if the table is the paper's."""
    target = "class" if "class" in frame else frame.columns[-1]
    if canonical_hash(frame, target) == DIGESTS[entry.name]:
        return ()
    differences = []
    for what, here, there in (
        ("rows", len(frame), entry.rows),
        ("features", frame.shape[1] - 1, entry.features),
        ("classes", frame[target].nunique(), entry.classes),
    ):
        if here != there:
            differences.append(f"{here:,} {what} instead of {there:,}")
    differs = " and ".join(differences) or "its size is equal, but its cells or classes are not"
    unsure = " Its number on OpenML is not confirmed." if fetched and not PINS[entry.name].verified else ""
    return (
        Finding(
            f"This table is not the paper's '{entry.name}': {differs}.{unsure}",
            advice=f"Put a trusted file {entry.name}.csv into a folder of TSK_DATA_DIR.",
            kind="warning",
        ),
    )


PAPER = (
    _entry(Card("vehicle", "Vehicle", "846 silhouettes of a bus, a van and two cars, described by 18 measures of shape.",
           "What UR is worth: λ = 50 gains 0.049 in test RCA, with BN 0.060; λ = 1 gains 0.001, no more than chance.",
           (218, 217, 212, 199), 18), "Statlog (Vehicle Silhouettes) (Mowforth and Shepherd)", 149, with_class_names()),
    _entry(Card("biodeg", "Biodeg",
           "1,055 chemicals, described by 41 properties of the molecule; the class: readily biodegradable or not.",
           "Underflow: with firing as the authors computed it, the firing levels of 3% of the rows sum to less than a half.",
           (699, 356), 41), "QSAR biodegradation (Mansouri et al., 2013)", 254,
           with_class_names({"1": "not_ready_biodegradable", "2": "ready_biodegradable"})),
    _entry(Card("drd", "DRD",
           "1,151 images of the eye, described by 19 measures; the class: signs of diabetic retinopathy or none.",
           "A difficult dataset: test RCA 0.671 with Paper, 0.714 with Recommended, and 0.530 if the class is always the same.",
           (611, 540), 19), "Diabetic Retinopathy Debrecen (Antal and Hajdu, 2014)", 329,
           with_class_names({"0": "no_signs", "1": "signs_of_DR"})),
    _entry(Card("yeast", "Yeast",
           "1,484 proteins of yeast, described by 8 measures; the class: where in the cell they are.",
           "RCA against BCA: ten classes, the smallest with five rows.",
           (463, 429, 244, 163, 51, 44, 35, 30, 20, 5), 8), "Yeast (Nakai, 1991)", 110, with_class_names()),
    _entry(Card("steel", "Steel",
           "1,941 faults of steel plates, described by 27 measures; the class: one of seven kinds of fault.",
           "The L2 penalty α: from the paper's 0.05 to 0.001, test RCA changes no more than by chance (0.728 and 0.731).",
           (673, 402, 391, 190, 158, 72, 55), 27), "Steel Plates Faults (Buscema, Terzi and Tastle, 2010)", 198,
           with_class_names()),
    _entry(Card("segment", "IS",
           "2,310 small regions of outdoor images, described by 19 measures; the class: what they show, of seven kinds.",
           "A baseline that is not reproduced: plain training has a test RCA of 0.938 in our study, and of 0.576 in the paper.",
           (330,) * 7, 19), "Image Segmentation (1990)", 50, with_class_names()),
    _entry(Card("abalone", "Abalone",
           "4,177 shells, described by sex, size and weight; the class: young, adult or old, from the number of rings.",
           "A category among numbers, and classes that are ranges of a number.",
           (2096, 1820, 261), 8), "Abalone (Nash et al., 1994)", 1, abalone),
    _entry(Card("waveform", "Waveform21", "5,000 mixtures of two of three triangular waves at 21 points, with noise.",
           "The paper's sample of the generated Waveform: test RCA with Recommended is 0.859 on it and 0.858 on Waveform.",
           (1692, 1655, 1653), 21), "Waveform Database Generator (Breiman and Stone, 1988)", 107, waveform),
    _entry(Card("page-blocks", "Page-blocks",
           "5,473 blocks of scanned pages, described by 10 measures; the class: text, a kind of line, picture or graphic.",
           "Misleading accuracy: nine rows in ten are text. Test RCA 0.967, BCA 0.759; with class weights 0.922 and 0.908.",
           (4913, 329, 115, 88, 28), 10), "Page Blocks Classification (Malerba, 1994)", 78,
           with_class_names({"1": "text", "2": "horizontal_line", "3": "picture", "4": "vertical_line", "5": "graphic"})),
    _entry(Card("satellite", "Satellite",
           "6,435 patches of a Landsat image, each 9 pixels in 4 bands; the class: what covers the ground.",
           "The paper's figures of firing and entropy show this dataset.",
           (1533, 1508, 1358, 707, 703, 626), 36), "Statlog (Landsat Satellite) (Srinivasan, 1993)", 146,
           with_class_names({"1": "red_soil", "2": "cotton_crop", "3": "grey_soil", "4": "damp_grey_soil",
                         "5": "vegetation_stubble", "7": "very_damp_grey_soil"})),
    _entry(Card("clave", "Clave",
           "10,796 rhythms of 16 pulses; the class: the direction of the clave that they fit, or none.",
           "Binary features, and the meaning of a membership function for them.",
           (4306, 4300, 1783, 407), 16), "Firm-Teacher Clave-Direction Classification (Vurkaç, 2011)", 324, clave),
    _entry(Card("magic", "MAGIC",
           "19,020 showers of particles, described by 10 measures of their image; the class: gamma rays or background.",
           "Many rows: the duration of an epoch, and the effect of the batch size.",
           (12332, 6688), 10), "MAGIC Gamma Telescope (Bock, 2004)", 159, magic),
)  # fmt: skip
