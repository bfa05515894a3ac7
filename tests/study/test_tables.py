"""The study's tables: computed from results, told with what they rest on, written as files that other programs read."""

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tsk_core.errors import TSKError
from tsk_study import ALGORITHMS, DATASETS, TABLES, Result, make_tables, printed_ranks, printed_scores, write_tables
from tsk_study.tables import AVERAGE, AVERAGE_COMPARABLE, PAIRS, SPLITS

NINE = tuple(printed_ranks("rca"))


def results_of(datasets, algorithms, splits=3, seed=0):
    """Results around the paper's averages, .75 where it has none."""
    random, printed, made = np.random.default_rng(seed), {metric: printed_scores(metric) for metric in ("rca", "bca")}, {}
    for dataset in datasets:
        for algorithm in algorithms:
            for split in range(splits):
                centres = [frame.loc[dataset].get(algorithm, np.nan) for frame in printed.values()]
                rca, bca = (np.nan_to_num(centre, nan=0.75) + random.normal(0, 0.01) for centre in centres)
                one = Result(dataset, algorithm, split, rca, bca, random.uniform(1, 2), None, None, split, "0")
                made[one.key] = one
    return made


@pytest.fixture(scope="module")
def everything():
    results = results_of(DATASETS, ALGORITHMS)
    return results, make_tables(results)


@pytest.mark.parametrize("metric", ["rca", "bca"])
def test_scores_are_means_and_averages_with_and_without_abalone(everything, metric):
    results, tables = everything
    frame = tables[metric].frame
    assert list(frame.index) == [*DATASETS, AVERAGE, AVERAGE_COMPARABLE] and list(frame.columns) == [*ALGORITHMS, SPLITS]
    values = {name: [getattr(one, metric) for one in results.values() if one.key[:2] == (name, "RF")] for name in DATASETS}
    assert frame["RF"].tolist()[:12] == pytest.approx([np.mean(scores) for scores in values.values()])
    assert tables[metric].beside["SD"]["RF"].tolist()[:12] == pytest.approx(
        [np.std(scores, ddof=1) for scores in values.values()]
    )
    assert frame.loc[AVERAGE, "RF"] == pytest.approx(np.mean([np.mean(scores) for scores in values.values()]))
    without = [np.mean(scores) for name, scores in values.items() if name != "abalone"]
    assert frame.loc[AVERAGE_COMPARABLE, "RF"] == pytest.approx(np.mean(without))
    bold = tables[metric].bold
    for name in DATASETS:  # ties as printed are all in bold
        scores = frame.loc[name, list(ALGORITHMS)]
        assert set(frame.columns[bold.loc[name]]) == {
            one for one in scores.index if f"{scores[one]:.4f}" == f"{scores.max():.4f}"
        }


def test_comparisons_count_shared_splits_and_leave_out_an_algorithm_with_far_fewer():
    both = results_of(["drd", "vehicle"], ["TSK-MBGD", "TSK-MBGD-UR-BN"]) | results_of(["drd", "vehicle"], ["CART"], splits=9)
    tables = make_tables(both, ["bca_paired", "bca_signed_rank"])
    assert set(tables["bca_paired"].frame[SPLITS]) == {"3"}
    assert "over the splits that both have, 3 splits" in tables["bca_signed_rank"].note
    of = list(DATASETS)[:3]
    tuned = results_of(of, ["TSK-tuned"], splits=6)
    tuned = {key: replace(one, bca=0.9 if one.split < 2 else 0.1) for key, one in tuned.items()}
    few = {key: replace(one, bca=0.8) for key, one in results_of(of, ["EBM"], splits=2).items()}
    tables = make_tables(results_of(of, NINE, splits=6) | tuned | few)
    assert tables["bca_signed_rank"].frame.loc["TSK-tuned − EBM", "Mean difference"] == pytest.approx(0.1)
    assert not tables["bca"].bold["EBM"].any()
    assert (tables["bca"].frame.loc[of, "EBM"] > tables["bca"].frame.loc[of, list(NINE)].max(axis=1)).any()
    assert "in bold nowhere: EBM (2 splits)" in tables["bca"].note
    assert "EBM" not in tables["bca_ranks_all"].frame and "left out: EBM (2 splits)" in tables["bca_ranks_all"].note
    assert "fewer splits" not in tables["bca_ranks"].note


def test_what_is_beyond_chance_is_bold(everything):
    _, tables = everything
    one = tables["rca_differences"]
    errors, sds = one.beside["SE"], tables["rca"].beside["SD"]
    assert errors.loc["satellite", "RF"] == pytest.approx(sds.loc["satellite", "RF"] * np.sqrt(1 / 3 + 1 / 30))
    average = np.sqrt((errors.loc[list(DATASETS), "RF"] ** 2).sum()) / 12
    assert errors.loc[AVERAGE, "RF"] == pytest.approx(average)
    numbers = one.frame.drop(columns=SPLITS)
    assert one.bold.drop(columns=SPLITS).equals(numbers.abs() > 2.6 * errors.drop(columns=SPLITS))
    frame, bold = tables["p_values"].frame, tables["p_values"].bold
    rows = ["TSK-MBGD-BN", "TSK-MBGD-UR", "TSK-MBGD-UR-BN"]
    assert list(frame.index) == [f"{name}, {metric}" for metric in ("RCA", "BCA") for name in rows]
    assert list(frame.columns) == list(NINE[:-1]) and frame.notna().sum(axis=1).tolist() == [6, 7, 8] * 2
    assert bold.equals(frame < 0.025) and bold.to_numpy().any()
    one = tables["bca_paired"]
    low, high = one.beside["low"], one.beside["high"]
    name = f"{PAIRS[0][0]} − {PAIRS[0][1]}"
    assert ((low[name] < one.frame[name]) & (one.frame[name] < high[name])).all()
    assert one.bold.loc["satellite", name] and one.bold[name].tolist() == ((low[name] > 0) | (high[name] < 0)).tolist()
    assert not one.bold[SPLITS].any()


def test_a_study_that_has_just_begun_has_the_tables_it_can_have_and_what_is_missing_is_told():
    assert make_tables({}) == {}
    one = make_tables(results_of(["drd"], ["CART"], splits=1))
    assert set(one) == {"datasets", "rca", "bca", "rca_differences", "bca_differences", "seconds", "splits"}
    assert AVERAGE_COMPARABLE not in one["rca"].frame.index and not one["rca"].bold.to_numpy().any()
    two = make_tables(results_of(["drd", "abalone"], ["CART", "RF"]), ["bca_ranks", "bca_ranks_all", "bn_variants", "p_values"])
    assert set(two) == {"bca_ranks"} and "too few algorithms" in two["bca_ranks"].note
    results = results_of(["drd", "yeast"], ["CART", "RF", "JRip"]) | results_of(["drd"], ["EBM"], splits=2)
    tables = make_tables(results)
    frame = tables["bca"].frame
    assert np.isnan(frame.loc["yeast", "EBM"]) and np.isnan(frame.loc[AVERAGE, "EBM"]) and frame.loc[AVERAGE, "RF"] > 0
    assert "there is none for EBM, computed on only some of them" in tables["bca"].note
    assert frame[SPLITS].tolist() == ["2–3", "3", ""]
    assert tables["splits"].frame.loc["yeast"].tolist() == [3, 3, 3, 0]


# Files


def test_csv_has_the_numbers_and_what_stands_beside_them(everything, tmp_path):
    _, tables = everything
    paths = write_tables(tables, tmp_path / "new" / "tables")
    assert sorted(path.name for path in paths) == sorted(f"{name}.{ending}" for name in TABLES for ending in ("csv", "md", "tex"))
    for name, one in tables.items():
        read = pd.read_csv(
            tmp_path / "new" / "tables" / f"{name}.csv",
            index_col=0,
            dtype=dict.fromkeys([SPLITS, "Datasets higher", "Equivalent", "Lower"], str),
        )
        assert list(read.index) == [DATASETS.get(row, row) for row in one.frame.index]
        for column in one.frame.select_dtypes("number"):
            assert read[column].to_numpy() == pytest.approx(one.frame[column].to_numpy(dtype=float), rel=1e-5, nan_ok=True)
            for key, part in one.beside.items():
                assert read[f"{column} {key}"].to_numpy() == pytest.approx(
                    part[column].to_numpy(dtype=float), rel=1e-5, nan_ok=True
                )
    assert "\r" not in (tmp_path / "new" / "tables" / "rca.csv").read_bytes().decode()


def test_markdown_and_latex_say_the_same_cells(everything, tmp_path):
    _, tables = everything
    write_tables(tables, tmp_path)
    for name, one in tables.items():
        lines = [line for line in (tmp_path / f"{name}.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        markdown = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        del markdown[1]
        latex = re.sub(
            r".*\\toprule\n|\\bottomrule.*|\\midrule\n", "", (tmp_path / f"{name}.tex").read_text(encoding="utf-8"), flags=re.S
        )
        rows = [[plain(cell) for cell in line.removesuffix(r"\\").split("&")] for line in latex.strip().splitlines()]
        assert [row[1:] for row in rows] == [row[1:] for row in markdown], name
        assert [row[0] for row in rows[1:]] == [row[0] for row in markdown[1:]]
        assert {len(row) for row in rows} == {len(one.frame.columns) + 1}
        starred = np.array([["**" in cell for cell in row[1:]] for row in markdown[1:]])
        assert (starred == one.bold.to_numpy()).all()


def plain(cell):
    """LaTeX as the Markdown has it."""
    cell = re.sub(r"\\textbf\{(.*)\}", r"**\1**", cell.strip())
    return cell.replace("$-$", "−").replace("--", "–").replace(r"\_", "_").replace(r"\%", "%").replace(r"\$", "$")


def test_latex_is_a_floating_table_of_booktabs_with_everything_escaped(everything, tmp_path):
    _, tables = everything
    write_tables(tables, tmp_path)
    for name, one in tables.items():
        text = (tmp_path / f"{name}.tex").read_text(encoding="utf-8")
        columns = len(one.frame.columns)
        assert text.startswith("\\begin{table}[htbp]\n\\centering\n\\caption{") and text.rstrip().endswith("\\end{table}")
        assert f"\\label{{tab:{name}}}" in text and f"\\begin{{tabular}}{{l{'r' * columns}}}" in text
        body = text.split("\\toprule")[1].split("\\bottomrule")[0]
        assert not re.search(r"(?<!\\)[%#_]", body + text.split("\\caption")[1].split("\\label")[0])
        assert text.isascii(), sorted({character for character in text if not character.isascii()})
        assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no TeX here: apt install texlive-latex-recommended")
def test_latex_compiles_and_no_table_leaves_the_page(everything, tmp_path):
    _, tables = everything
    write_tables(tables, tmp_path)
    included = "\n".join(f"\\input{{{name}}}\\clearpage" for name in tables)
    packages = r"\usepackage{booktabs}\usepackage{graphicx}"
    (tmp_path / "all.tex").write_text(f"\\documentclass{{article}}{packages}\\begin{{document}}\n{included}\n\\end{{document}}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull \\hbox" not in done.stdout, re.findall(r"Overfull.*", done.stdout)
    assert (tmp_path / "all.pdf").stat().st_size > 0


def test_cells_look_as_in_print(everything, tmp_path):
    results = {}
    for split, bca in enumerate((0.79, 0.81)):
        one = Result("vehicle", "RF", split, bca, bca, 0.5, None, None, split, "0")
        results[one.key] = one
    tables = make_tables(results, ["bca", "bca_differences"])
    write_tables(tables, tmp_path)
    assert "| Vehicle | 0.8000 (0.014) | 2 |" in (tmp_path / "bca.md").read_text(encoding="utf-8")
    assert "| Vehicle | **0.0560 (0.010)** | 2 |" in (tmp_path / "bca_differences.md").read_text(encoding="utf-8")
    read = list(csv.reader(io.StringIO((tmp_path / "bca.csv").read_text(encoding="utf-8"))))
    assert read[:2] == [["Dataset", "RF", "RF SD", SPLITS], ["Vehicle", "0.8", "0.0141421", "2"]]


def test_a_folder_that_cannot_be_written_is_one_sentence(everything, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TSKError, match="The tables could not be written to .*file"):
        write_tables(everything[1], tmp_path / "file")
