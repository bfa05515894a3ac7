"""A cell's runs as a comparison: the address of Compare with the study's settings, on the same splits."""

from collections.abc import Collection, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from tsk_core.config import START_KEY, TrainConfig
from tsk_core.experiments import BASE, MOST_SEEDS, NAMED_VARIANTS, VALIDATED_VARIANTS, all_study_choices
from tsk_core.numbers import counted
from tsk_core.settings import SETTINGS
from tsk_core.study import ALGORITHMS, TEST_SIZE, Result, protocol_config
from ui.paper.controls import BASELINE, PROPOSED
from ui.platform import session
from ui.settings.controls import TEST_KEY
from ui.text import in_markdown

_BN, _RECOMMENDED = "TSK-MBGD-BN", "TSK-recommended"
_HELP = "Opens Compare with these settings, variants and seeds; press Compare there, and watch them train side by side."


class Comparison(NamedTuple):
    """link: the address of Compare. runs: of each variant. note: how far it is the study's."""

    link: str
    runs: int
    note: str


def with_rival(algorithm: str) -> tuple[str, ...]:
    """What an algorithm is compared with where nobody says, and the algorithm; one that is not of the MBGD family is alone.

    That is plain MBGD; for those that change a setting of MBGD-BN, such as HTSK, MBGD-BN.
    """
    if ALGORITHMS[algorithm].batch_norm is None:
        return (algorithm,)
    if ALGORITHMS[algorithm].settings:
        return _BN, algorithm
    return PROPOSED if algorithm == BASELINE else BASELINE, algorithm


def comparison_of(algorithms: Sequence[str], results: Collection[Result]) -> Comparison | None:
    """The comparison of these algorithms on one dataset; its verdict is the last less the first.

    results: of all of them there. It has the splits 0 to n - 1 that all of them have, which are those of Compare's seeds. None
    where Compare cannot train one of them.
    """
    by_split = {name: {one.split: one for one in results if one.algorithm == name} for name in algorithms}
    shared = set.intersection(*(set(one) for one in by_split.values()))
    runs = next((split for split in range(MOST_SEEDS) if split not in shared), MOST_SEEDS)
    if not runs:
        return None
    used = [of[split] for of in by_split.values() for split in range(runs)]
    if _RECOMMENDED in algorithms:
        if len(set(algorithms)) > 1:  # its settings differ in more than a variant changes
            return None
        note = "These are the table's own trainings, so their test scores are the same."
        return Comparison(_link(used[0].dataset, TrainConfig(random_state=0), "recommended", [BASE], runs), runs, note)
    if not all(ALGORITHMS[name].batch_norm for name in algorithms) or any(one.epochs is None for one in used):
        return None
    epochs = round(float(np.median([one.epochs for one in used])))
    whose = "the study's" if len(by_split) == 1 else "both algorithms'" if len(by_split) == 2 else "all these algorithms'"
    protocol = protocol_config(_BN, 0, 0.0).to_dict()
    config = TrainConfig.from_dict(protocol | {"early_stopping": False, "max_epochs": epochs})
    note = f"The study's splits and settings, but each training takes {epochs} epochs, the median of {whose} final trainings"
    dataset = used[0].dataset
    weights = [_chosen_weight(dataset, name) for name in algorithms if ALGORITHMS[name].selects_ur]
    note += "".join(f", and {text}" for text in weights) + ": scores differ a little from the table's."
    return Comparison(_link(dataset, config, "paper", [_variant(name) for name in algorithms], runs), runs, note)


def comparison_row(algorithms: Sequence[str], results: Collection[Result]) -> None:
    """The link, and what it trains; nothing where Compare cannot train these algorithms."""
    found = comparison_of(algorithms, results)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="paper_compare"):
        st.link_button(f"Open {counted(found.runs, 'split')} as a comparison", found.link, help=_HELP)
        st.caption(in_markdown(f"{' and '.join(algorithms)}. {found.note}"))


def _variant(algorithm: str) -> str:
    """As links to Compare write it; UR with the λ that most splits of the study chose."""
    if own := ALGORITHMS[algorithm].settings:
        ((name, value),) = own.items()
        return f"{SETTINGS[name].key}={value}"
    wanted = ALGORITHMS[algorithm].batch_norm, ALGORITHMS[algorithm].selects_ur
    key = next(key for key, (_, batch_norm, uniform) in NAMED_VARIANTS.items() if (batch_norm, uniform) == wanted)
    return next((validated for validated, of in VALIDATED_VARIANTS.items() if of == key), key)


def _chosen_weight(dataset: str, algorithm: str) -> str:
    """As "λ of TSK-MBGD-UR is 10, chosen in 18 of 30 splits"."""
    choice = all_study_choices()[dataset][ALGORITHMS[algorithm].batch_norm]
    return f"λ of {algorithm} is {choice.ur_weight:g}, chosen in {choice.splits} of {choice.of} splits"


def _link(dataset: str, config: TrainConfig, start: str, variants: Sequence[str], runs: int) -> str:
    values = {"v": "1", "data": dataset, START_KEY: start, **config.to_url(), TEST_KEY: f"{TEST_SIZE:g}"}
    values |= {"variants": ",".join(variants), session.SEEDS.name: str(runs), session.SCORE.name: "last", session.BAND.name: "ci"}
    return f"./compare?{urlencode(values)}"
