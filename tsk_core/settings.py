"""SETTINGS: name, symbol, URL key, range and help of each setting of a training run.

The fields of ``TrainConfig``, the constructor of ``TSKClassifier``, the command line and the controls of the page read it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """Name, help and range of one setting.

    key: its name in links; empty if links do not contain it.
    symbol: its letter in the paper.
    low, high: the range that pages offer; the library enforces ``low`` alone.
    options: the allowed values of a choice.
    """

    label: str
    symbol: str
    help: str
    key: str = ""
    low: float | None = None
    high: float | None = None
    above: bool = False  # the range excludes ``low`` itself
    options: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The label with the symbol."""
        return f"{self.label} {self.symbol}".strip()


SETTINGS: dict[str, Setting] = {
    "n_rules": Setting(
        "Rules",
        "R",
        "Number of IF-THEN rules; more rules fit finer class boundaries but overfit sooner.",
        key="rules",
        low=1,
        high=200,
    ),
    "ur_weight": Setting(
        "Uniform regularisation",
        "λ",
        "How strongly training makes all rules fire equally on average; 0 switches it off.",
        key="ur",
        low=0,
        high=1000,
    ),
    "batch_norm": Setting(
        "Batch normalisation",
        "BN",
        "none: off; bn: BN before the consequents (the paper's choice); gbn: before both (antecedents and consequents);"
        " rbn: per rule. With constant consequents, bn and rbn have no effect.",
        key="bn",
        options=("none", "bn", "gbn", "rbn"),
    ),
    "batch_size": Setting(
        "Batch size",
        "B",
        "Training rows per gradient step; small batches are noisier, large ones give fewer steps per epoch.",
        key="batch",
        low=2,
        high=8192,
    ),
    "learning_rate": Setting(
        "Learning rate",
        "η",
        "Step size of the optimiser at the start; training diverges if it is too large and is slow if it is too small.",
        key="lr",
        low=0,
        high=1,
        above=True,
    ),
    "l2": Setting(
        "L2 penalty",
        "α",
        "How strongly consequent weights are pulled towards 0; the paper uses 0.05, the starting points 0.001 to 0.002.",
        key="l2",
        low=0,
        high=10,
    ),
    "shrinkage": Setting(
        "Shrinkage",
        "κ",
        "How strongly the rules' consequents are pulled towards their mean; at large values the model is one linear classifier."
        " With constant consequents it has no effect.",
        key="shrink",
        low=0,
        high=100,
    ),
    "max_epochs": Setting("Epochs", "T", "Number of passes over the training rows.", key="epochs", low=1, high=2000),
    "early_stopping": Setting(
        "Early stopping",
        "",
        "Chooses the number of epochs on five hold-outs of the training rows, then trains on all of them for that many epochs.",
        key="es",
    ),
    "validation_fraction": Setting(
        "Hold-out share", "", "Share of the training rows held out by early stopping.", low=0, high=0.9, above=True
    ),
    "patience": Setting(
        "Patience",
        "",
        "Early stopping ends its search after this many epochs without a better validation score.",
        key="patience",
        low=1,
        high=1000,
    ),
    "firing": Setting(
        "Firing levels",
        "f̄",
        "softmax: the exact formula, safe from underflow; paper: as the authors ran it; htsk: softmax(z/D), for many features;"
        " scaled: softmax(z/√D), between softmax and htsk; log: 1/−z divided by its sum (LogTSK), for many features.",
        key="firing",
        options=("softmax", "paper", "htsk", "scaled", "log"),
    ),
    "ur_target": Setting(
        "UR target",
        "τ",
        "The target of UR for the average firing level. Where the firing levels of a row add up to 1, it shifts the reported loss"
        " and changes nothing else. With firing levels “paper”, which may add up to less, it changes the training.",
        key="tau",
        options=("1/C", "1/R"),
        low=0,
        high=1,
    ),
    "init": Setting(
        "Initial centres",
        "",
        "kmeans or fcm (fuzzy c-means) clusters, random training rows, or class-kmeans: clusters within each class, whose rules"
        " start with that class.",
        key="init",
        options=("kmeans", "fcm", "random", "class-kmeans"),
    ),
    "optimizer": Setting(
        "Optimiser",
        "",
        "adabound: Adam early, plain gradient descent late (the paper's choice); adam; or powerball-adabelief: AdaBelief on the"
        " signed square roots of the gradients.",
        key="opt",
        options=("adabound", "adam", "powerball-adabelief"),
    ),
    "class_weight": Setting(
        "Class weights",
        "",
        "balanced: rare classes count as much as common ones, in training and for the predicted class. Probabilities are for the"
        " shares that the classes have among the rows.",
        key="cw",
        options=("none", "balanced"),
    ),
    "random_state": Setting(
        "Seed",
        "",
        "The same seed gives the same split, initial state and batch order, and so the same numbers on the same kind of"
        " processor. Where the test rows are the latest ones, or a column or a second file says which they are, the split is the"
        " same for all seeds.",
        key="seed",
        low=0,
        high=2**31 - 1,
    ),
    "device": Setting(
        "Device",
        "",
        "cuda is a graphics card; auto uses one if there is one. With batches of 64 rows, one model trains faster on the CPU; a"
        " card pays with large batches or several models trained side by side.",
        options=("cpu", "cuda", "auto"),
    ),
    "consequents": Setting(
        "Consequents",
        "",
        "linear: each rule has a linear function of the features for each class (first order, as in the paper); constant: one"
        " score for each class (zero order), so that conditions and scores are the whole model.",
        key="cons",
        options=("linear", "constant"),
    ),
    "sharpness": Setting(
        "Sharpness",
        "ρ",
        "How strongly training makes one rule fire for each row; 0 switches it off. UR makes all rules fire on average.",
        key="sharp",
        low=0,
        high=10,
    ),
    "covering": Setting(
        "Covering",
        "ζ",
        "How strongly rules are pulled towards rows that they fire for, so that their conditions hold there; 0 switches it off.",
        key="cover",
        low=0,
        high=10,
    ),
    "max_conditions": Setting(
        "Conditions of a rule",
        "k",
        "Each rule keeps at most this many conditions, those that restrict the most; 0 keeps all.",
        key="conditions",
        low=0,
        high=100,
    ),
    "l1": Setting(
        "L1 penalty",
        "γ",
        "How strongly conditions are weakened (1/σ is pulled towards 0), so that those that are not needed can be dropped.",
        key="l1",
        low=0,
        high=1,
    ),
    "selection_epoch": Setting(
        "Conditions chosen after",
        "",
        "The epoch at which the conditions are reduced to k per rule, at most the last epoch; 0: at half of the epochs.",
        key="select",
        low=0,
        high=2000,
    ),
    "drop_rule": Setting(
        "DropRule",
        "",
        "Share of the rules that training leaves out for each row, drawn anew at each step; predictions use all rules.",
        key="drop",
        low=0,
        high=0.9,
    ),
    "layer_norm": Setting(
        "Layer normalisation",
        "LN",
        "relu: each row's firing levels are normalised over the rules, scaled and shifted by what training learns, and cut at 0,"
        " before they weight the rules' scores; UR and averages use the levels before. none: off. With constant consequents or"
        " with one rule it has no effect.",
        key="ln",
        options=("none", "relu"),
    ),
    "n_trainings": Setting(
        "Separate trainings",
        "",
        "Number of separate trainings among which the R rules are divided equally, at least 2 for each, with their own initial"
        " rules. Afterwards all rules form one rule base, like an ensemble. R must be a multiple of this number. Losses and"
        " gradients are means over the trainings. With init class-kmeans, layer normalisation or a rule base to start from, there"
        " is one training.",
        key="trainings",
        low=1,
        high=100,
    ),
    "rule_base": Setting(
        "Rule base",
        "",
        "Initial rules, by an expert or from an earlier training, in place of the initial centres; they also"
        " set the number of rules.",
    ),
}
