"""The traps: each function plants one kind into a draft and notes in its answers what it did."""

import numpy as np
from scipy.special import expit

from tests.data.traps.drafts import Draft, written

WORDS = ("k. A.", "not recorded", "missing", "-", "keine Angabe")
ORDERS = {
    "level": ("low", "medium", "high"),
    "how_often": ("never", "rarely", "sometimes", "often", "always"),
    "size": ("small", "medium", "large", "extra large"),
    "stage": ("stage I", "stage II", "stage III", "stage IV"),
    "intensity": ("none", "mild", "moderate", "severe"),
    "schooling": ("primary", "secondary", "bachelor", "master", "doctorate"),
    "age_group": ("18-24", "25-34", "35-44", "45-54", "55+"),
    "Stufe": ("niedrig", "mittel", "hoch"),
    "rating": ("very poor", "poor", "fair", "good", "excellent"),
    "agreement": ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    "fit": ("XS", "S", "M", "L", "XL"),
    "band": ("<10k", "10k-30k", "30k-60k", ">60k"),
    "warmth": ("cold", "cool", "warm", "hot"),
    "priority": ("Low", "Medium", "High", "Very high"),
    "grade_text": ("1 - bad", "2 - fair", "3 - good"),
    "experience": ("beginner", "intermediate", "advanced", "expert"),
}
TIMES = {  # names of time columns, and how they write a day
    "date": "%Y-%m-%d", "recorded_at": "%Y-%m-%d %H:%M", "Datum": "%d.%m.%Y", "timestamp": "%Y-%m-%dT%H:%M:%S",
    "visit_date": "%d.%m.%Y", "created": "%Y-%m-%d",
}  # fmt: skip


def plant_codes(draft: Draft) -> None:
    """Codes for missing values: one number in one to three columns, or a word among categories."""
    possible = _numeric_codes(draft)
    categories = [name for name, kind in draft.kinds.items() if kind == "category" and not _planted(draft, name)]
    if categories and (not possible or draft.random.random() < 0.3):
        name = str(draft.random.choice(categories))
        return _put_code(draft, name, str(draft.random.choice(WORDS)), "a word")
    code = str(draft.random.choice(sorted(possible)))
    several = min(len(possible[code]), int(draft.random.choice([1, 1, 2, 3])))
    for name in draft.random.choice(possible[code], several, replace=False):
        _put_code(draft, str(name), code, f"{code} in {several}")
    return None


def _numeric_codes(draft: Draft) -> dict[str, list[str]]:
    """By code: the columns of numbers in which it cannot be a measurement."""
    found: dict[str, list[str]] = {}
    for name, kind in draft.kinds.items():
        if kind != "number" or _planted(draft, name):
            continue
        values = np.array([float(cell) for cell in draft.columns[name] if cell])
        low, median, high = values.min(), np.median(values), values.max()
        codes = ["-99", "-999", "-9999"] if low >= 0 else []
        codes += ["-1"] if low >= 5 else []
        codes += ["999", "9999"] if high < 250 else ["99999"] if high < 2_500 else []
        codes += ["99"] if high <= 30 else []
        codes += ["0"] if low >= 10 and low > median / 3 else []
        for code in codes:
            found.setdefault(code, []).append(name)
    return found


def _put_code(draft: Draft, name: str, code: str, how: str) -> None:
    cells = draft.columns[name]
    share = np.exp(draft.random.uniform(np.log(0.02), np.log(0.25)))
    rows = draft.random.choice(draft.rows, max(4, round(share * draft.rows)), replace=False)
    digits = len(next(cell for cell in cells if cell).partition(".")[2]) if draft.kinds[name] == "number" else 0
    text = f"{float(code):.{digits}f}" if draft.kinds[name] == "number" else code
    for row in rows:
        cells[row] = text
    draft.plant("missing code", name, how, text)


def plant_leak(draft: Draft) -> None:
    """A column that the outcome makes: a copy in other words or numbers, the class with noise, filled afterwards, or a score."""
    options = [_copied, _numbered, _noisy, _scored] + ([_filled_after, _filled_after] if len(draft.names) == 2 else [])
    free = [name for name in draft.domain.leaks if name not in draft.columns]
    draft.choice(options)(draft, str(draft.random.choice(free)))


def _copied(draft: Draft, name: str) -> None:
    text = draft.random.permutation([f"{letter}{k}" for k, letter in enumerate("KXTQ", 1)])
    wrong = draft.random.random(draft.rows) < draft.random.choice([0, 0.005, 0.015])
    classes = np.where(wrong, draft.random.integers(len(draft.names), size=draft.rows), draft.classes)
    draft.put(name, text[classes].tolist(), "category")
    draft.plant("leak", name, "copy in other words")


def _numbered(draft: Draft, name: str) -> None:
    numbers = draft.random.permutation(len(draft.names)) + draft.random.integers(2)
    draft.put(name, written(numbers[draft.classes], 0), "number")
    draft.debatable.add(("ordinal", name))
    draft.plant("leak", name, "number of the class")


def _noisy(draft: Draft, name: str) -> None:
    centres = 10.0 * draft.random.permutation(len(draft.names)) + 20
    draft.put(name, written(centres[draft.classes] + draft.random.normal(scale=2, size=draft.rows), 2), "number")
    draft.plant("leak", name, "class and noise")


def _scored(draft: Draft, name: str) -> None:
    of = draft.random.integers(len(draft.names)) if len(draft.names) == 2 else None
    if of is None:
        return _noisy(draft, name)
    sure = np.where(draft.classes == of, 3.2, -3.2) + draft.random.normal(scale=1.2, size=draft.rows)
    draft.put(name, written(expit(sure), 3), "number")
    draft.plant("leak", name, "score")
    return None


def _filled_after(draft: Draft, name: str) -> None:
    filled = (draft.classes == draft.random.integers(2)) & (draft.random.random(draft.rows) < 0.98)
    values = written(30 * np.exp(0.7 * draft.random.normal(size=draft.rows)), 0)
    draft.put(name, [value if is_filled else "" for value, is_filled in zip(values, filled, strict=True)], "number")
    draft.plant("leak", name, "filled after the outcome")


def plant_subject(draft: Draft) -> None:
    """The column that names the subject of each row; the rows themselves were made by subject."""
    assert draft.subjects is not None
    random, number = draft.random, draft.subjects.max() + 1
    how = str(random.choice(["number", "code", "code"]))
    name = draft.domain.subject + str(random.choice(["", "_id", "_no"]))
    if how == "number":
        names = written(random.choice(np.arange(1_000, 90_000), number, replace=False), 0)
        draft.debatable.add(("id", name))
    else:
        names = [f"{draft.domain.subject[0].upper()}{k:04d}" for k in random.permutation(number) + 1]
    draft.put(name, [names[k] for k in draft.subjects], "number" if how == "number" else "category")
    draft.debatable.add(("leak", name))  # all rows of a subject may have its class
    draft.plant("group", name, how)


def plant_repeated(draft: Draft) -> None:
    """Rows that stand in the file twice; the numbers of records, if there are any, stay equal or are new."""
    again = draft.random.choice(draft.rows, max(5, round(draft.random.uniform(0.05, 0.3) * draft.rows)), replace=False)
    draft.take(np.concatenate([np.arange(draft.rows), again]))
    if draft.times is None and draft.random.random() < 0.6:
        draft.take(draft.random.permutation(draft.rows))
    draft.plant("repeated rows", "", "with new numbers" if draft.by_row else "equal")


def plant_id(draft: Draft) -> None:
    """A number for each row, counted or drawn; ``number_rows`` fills it, since other traps change the rows."""
    end = str(draft.random.choice(["", "_id", "_no", "_number"]))
    name = f"{draft.domain.record}{end}"
    draft.put(name, [""] * draft.rows, "id")
    draft.by_row.add(name)
    draft.plant("id", name, "counted" if draft.random.random() < 0.4 else "drawn")


def plant_ordinal(draft: Draft) -> None:
    """Ordered categories, which say something about the class."""
    name = str(draft.random.choice([name for name in ORDERS if name not in draft.columns]))
    order = ORDERS[name]
    cuts = np.quantile(score := draft.latent(0.7), np.sort(draft.random.dirichlet(np.full(len(order), 6.0)).cumsum()[:-1]))
    draft.put(name, [order[k] for k in np.searchsorted(cuts, score)], "category")
    draft.plant("ordinal", name, "words", order=order)


def plant_time(draft: Draft) -> None:
    """When each row was recorded; the classes and other columns change with time."""
    assert draft.times is not None
    name = str(draft.random.choice([name for name in TIMES if name not in draft.columns]))
    days = float(draft.random.choice([200, 700, 1500]))
    start = np.datetime64("2019-01-01", "s") + draft.random.integers(900) * np.timedelta64(86_400, "s")
    moments = (start + (draft.times * days * 86_400).astype("timedelta64[s]")).astype(object)
    draft.put(name, [moment.strftime(TIMES[name]) for moment in moments], "date")
    draft.plant("time", name, "in order" if (np.diff(draft.times) >= 0).all() else "shuffled")


def _planted(draft: Draft, name: str) -> bool:
    return any(planted.column == name for planted in draft.planted)
