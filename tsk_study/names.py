"""The study's datasets and algorithms, by the names that the paper prints."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from tsk_core.errors import SettingError

DATASETS = {  # name of load_dataset -> as the paper prints it, in the paper's order
    "vehicle": "Vehicle",
    "biodeg": "Biodeg",
    "drd": "DRD",
    "yeast": "Yeast",
    "steel": "Steel",
    "segment": "IS",
    "abalone": "Abalone",
    "waveform": "Waveform21",
    "page-blocks": "Page-blocks",
    "satellite": "Satellite",
    "clave": "Clave",
    "magic": "MAGIC",
}
COMPARABLE = tuple(name for name in DATASETS if name != "abalone")  # the paper does not say how rings become three classes


@dataclass(frozen=True)
class Algorithm:
    """One row of the study's tables.

    text: what it is, in a sentence. paper: whether it is one of the paper's eleven. batch_norm, selects_ur: of the MBGD family,
    the variant of batch normalisation and whether λ is chosen; None for all others. settings: what else differs from the paper's.
    """

    name: str
    text: str
    paper: bool = True
    batch_norm: str | None = None
    selects_ur: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("CART", "scikit-learn's decision tree; its depth, 3 to 7, is chosen by 5-fold cross-validation."),
        Algorithm("RF", "scikit-learn's random forest of 20 trees; their depth, 3 to 7, is chosen by 5-fold cross-validation."),
        Algorithm("JRip", "Weka's RIPPER with its defaults."),
        Algorithm("PART", "Weka's PART with its defaults."),
        Algorithm("TSK-FCM-LSE", "Antecedents by fuzzy c-means, consequents by ridge least squares (α = 0.05, R = 20)."),
        Algorithm("TSK-MBGD", "TSK trained by mini-batch gradient descent (MBGD) with AdaBound.", batch_norm="none"),
        Algorithm("TSK-MBGD-BN", "MBGD with batch normalisation of what the consequents see.", batch_norm="bn"),
        Algorithm("TSK-MBGD-UR", "MBGD with uniform regularisation, λ chosen by validation.", batch_norm="none", selects_ur=True),
        Algorithm("TSK-MBGD-UR-BN", "MBGD with uniform regularisation, λ chosen by validation, and batch normalisation.",
                  batch_norm="bn", selects_ur=True),
        Algorithm("TSK-MBGD-UR-GBN", "As TSK-MBGD-UR-BN, but antecedents see the normalised inputs too (global BN).",
                  batch_norm="gbn", selects_ur=True),
        Algorithm("TSK-MBGD-UR-RBN", "As TSK-MBGD-UR-BN, but each rule has its own batch normalisation (rule-specific BN).",
                  batch_norm="rbn", selects_ur=True),
        Algorithm("TSK-recommended", "This app's recommended settings, nothing tuned.", paper=False),
        Algorithm("TSK-tuned", "Settings and class weights with the best cross-validated BCA, learnt in several trainings unless"
                  " that validates worse (TSKClassifierCV).", paper=False),
        Algorithm("TSK-tuned-RCA", "As TSK-tuned, but with the best cross-validated RCA.", paper=False),
        *(
            Algorithm(f"Readable-{most}", f"The best readable rule base of at most {most} conditions that a search found; where"
                      " none is that short, the shortest.", paper=False)
            for most in (10, 20, 30)
        ),
        Algorithm("HTSK", "The paper's protocol for TSK-MBGD-BN with HTSK's firing levels (Cui, Wu, Xu 2021).", paper=False,
                  batch_norm="bn", settings={"firing": "htsk"}),
        Algorithm("LogTSK", "The paper's protocol for TSK-MBGD-BN with LogTSK's firing levels (Cui, Wu, Xu 2021).", paper=False,
                  batch_norm="bn", settings={"firing": "log"}),
        Algorithm("TSK-MBGD-BN-PAB", "The paper's protocol for TSK-MBGD-BN with Powerball AdaBelief in place of AdaBound (Shi and"
                  " others 2021).", paper=False, batch_norm="bn", settings={"optimizer": "powerball-adabelief"}),
        Algorithm("TSK-MBGD-BN-DropRule", "The paper's protocol for TSK-MBGD-BN with DropRule, which leaves out half of the rules"
                  " for each row (Wu and others 2020).", paper=False, batch_norm="bn", settings={"drop_rule": 0.5}),
        Algorithm("TSK-MBGD-BN-LN", "The paper's protocol for TSK-MBGD-BN with layer normalisation and ReLU of the firing levels"
                  " (Cui, Xu, Peng, Wu 2022).", paper=False, batch_norm="bn", settings={"layer_norm": "relu"}),
        Algorithm("LR", "scikit-learn's logistic regression, its C chosen by 5-fold cross-validation.", paper=False),
        Algorithm("LR-weighted", "As LR, but its classes are weighted equally; its C is that of the best cross-validated BCA.",
                  paper=False),
        Algorithm("HistGB", "scikit-learn's histogram gradient boosting with its defaults.", paper=False),
        Algorithm("EBM", "interpret's Explainable Boosting Machine with its defaults.", paper=False),
    )
}  # fmt: skip
PAPER = tuple(name for name, algorithm in ALGORITHMS.items() if algorithm.paper)
BEYOND = tuple(name for name, algorithm in ALGORITHMS.items() if not algorithm.paper)
MBGD = tuple(name for name, algorithm in ALGORITHMS.items() if algorithm.batch_norm is not None)
FOUR = ("TSK-MBGD", "TSK-MBGD-BN", "TSK-MBGD-UR", "TSK-MBGD-UR-BN")  # of most of the paper's figures, in their order
TUNED = ("TSK-tuned", "TSK-tuned-RCA")  # have a budget, whatever the table
READABLE = ("Readable-10", "Readable-20", "Readable-30")  # share a search on each split
READ = (
    "CART",
    "JRip",
    "PART",
    *READABLE,
    "LR",
    "LR-weighted",
    "EBM",
)  # are read whole, so that their results have a reading effort
BN_VARIANTS = ("TSK-MBGD-UR", "TSK-MBGD-UR-BN", "TSK-MBGD-UR-GBN", "TSK-MBGD-UR-RBN")  # of its last table
_SETS = {"all": PAPER, "beyond": BEYOND, "mbgd": tuple(name for name in MBGD if name in PAPER)}


def parse_algorithms(text: str) -> tuple[str, ...]:
    """Names, parted by commas, in the study's order; "all": the paper's eleven, "beyond": the others, "mbgd": its family.

    Raises SettingError for an unknown one.
    """
    return _parse(text, ALGORITHMS, _SETS, "algorithm")


def parse_datasets(text: str) -> tuple[str, ...]:
    """Names, parted by commas, in the paper's order; "all": the twelve. Raises SettingError for an unknown one."""
    return _parse(text, DATASETS, {"all": tuple(DATASETS)}, "dataset")


def _parse(text: str, known: Collection[str], sets: dict[str, tuple[str, ...]], kind: str) -> tuple[str, ...]:
    lower = {name.lower(): name for name in known}
    chosen: set[str] = set()
    for word in filter(None, (part.strip() for part in text.split(","))):
        names = sets.get(word.lower()) or tuple(filter(None, (lower.get(word.lower()),)))
        if not names:
            raise SettingError(f"The study has no {kind} {word[:60]!r}; it has {', '.join(known)}, and {', '.join(sets)}.")
        chosen.update(names)
    if not chosen:
        raise SettingError(f"Name at least one {kind}: {', '.join(known)}, or {', '.join(sets)}.")
    return tuple(name for name in known if name in chosen)
