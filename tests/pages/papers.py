"""A study for tests of the page Paper: results of every cell, near the paper's, but for a baseline that is not as weak."""

from tsk_study import ALGORITHMS, DATASETS, PAPER, Result, append_results, printed_scores

BASELINE = 0.86  # RCA of TSK-MBGD on Satellite; the paper prints .4890


def make_results(splits=3, algorithms=PAPER, datasets=tuple(DATASETS), raised=0.0):
    """Results of all these cells. raised: added to each score."""
    rca, bca = printed_scores("rca"), printed_scores("bca")
    return [
        _result(dataset, algorithm, split, rca, bca, raised)
        for dataset in datasets
        for algorithm in algorithms
        for split in range(splits)
    ]


def write_study(folder, results, file="results.csv"):
    """The folder that TSK_STUDY_DIR names, with these results."""
    folder.mkdir(exist_ok=True)
    append_results(folder / file, results)
    return folder


def _result(dataset, algorithm, split, rca, bca, raised):
    own = next(name for name in (algorithm, "TSK-MBGD-UR-BN") if name in bca)  # GBN and RBN have no printed RCA
    printed = rca.at[dataset, own if rca.at[dataset, own] > 0 else "TSK-MBGD-UR-BN"]
    score = BASELINE if (dataset, algorithm) == ("satellite", "TSK-MBGD") else printed
    trained, selects = ALGORITHMS[algorithm].batch_norm is not None, ALGORITHMS[algorithm].selects_ur
    noise = raised + 0.001 * (split - 1)
    return Result(
        dataset, algorithm, split, score + noise, bca.at[dataset, own] + noise, 1.5, 10.0 if selects else None,
        8 + split if trained else None, split, "0.1.0",
    )  # fmt: skip
