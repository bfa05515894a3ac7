"""A table on the way to its file: the class of each row, the columns that stand beside it, and what was planted."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

# Columns as people collect them: numbers, categories, dates. Each is made from a latent score of every row, so that what a
# column says about the class, about the subject or about time enters it before it becomes numbers or words.


Random = np.random.Generator
Maker = Callable[[Random, np.ndarray], list[str]]  # (random, latent score of each row, SD 1) -> cells


@dataclass(frozen=True)
class Column:
    """An honest column of a domain. kind: "number", "category" or "date".

    debatable: checks that would be neither right nor wrong about it, such as "ordinal" about days of the week.
    """

    name: str
    kind: str
    make: Maker
    debatable: tuple[str, ...] = ()


def written(values: np.ndarray, digits: int) -> list[str]:
    """Numbers with a point and this many digits after it; no "-0.0"."""
    return [f"{value:.{digits}f}" for value in np.round(values, digits) + 0.0]


def number(name: str, mean: float, sd: float, digits: int = 0, least: float = -np.inf, most: float = np.inf) -> Column:
    """A measurement, cut at both ends."""
    return Column(name, "number", lambda random, s: written(np.clip(mean + sd * s, least, most), digits))


def skewed(name: str, median: float, sigma: float, digits: int = 0) -> Column:
    """A positive measurement with a long right tail, such as an income; whole numbers of it hardly repeat."""
    return Column(name, "number", lambda random, s: written(median * np.exp(sigma * s), digits))


def count(name: str, mean: float) -> Column:
    """How often something happened; mostly 0 for a small mean."""
    return Column(name, "number", lambda random, s: written(random.poisson(mean * np.exp(0.5 * s - 0.125)), 0), ("ordinal",))


def mostly_zero(name: str, share: float, median: float, digits: int = 0) -> Column:
    """An amount that is 0 unless something happened, in ``share`` of the rows: nothing lies between 0 and the bulk."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        amount = median * np.exp(0.4 * random.normal(size=len(s)))
        return written(np.where(stats.norm.cdf(s) > 1 - share, amount, 0), digits)

    return Column(name, "number", make)


def scale(name: str, low: int, high: int) -> Column:
    """A score in whole numbers from ``low`` to ``high``. Few of them are an ordered scale, so "ordinal" is debatable."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        return written(np.clip(low + np.floor(stats.norm.cdf(s) * (high - low + 1)), low, high), 0)

    return Column(name, "number", make, ("ordinal",))


def price(name: str, median: float) -> Column:
    """Prices that end in .99; 99.99 and 999.99 are among them."""
    return Column(name, "number", lambda random, s: written(np.floor(median * np.exp(1.2 * s)) + 0.99, 2))


def words(name: str, *names: str, debatable: tuple[str, ...] = ()) -> Column:
    """Categories without an order, some more frequent than others."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        shares = random.dirichlet(np.full(len(names), 4.0))
        which = np.searchsorted(np.cumsum(shares)[:-1], stats.norm.cdf(0.8 * s + 0.6 * random.normal(size=len(s))))
        return random.permutation(np.array(names, dtype=object))[which].tolist()

    return Column(name, "category", make, debatable)


def place(name: str, number: int) -> Column:
    """Postcodes of five digits, the frequent ones far more frequent; they say nothing about the class or the subject."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        codes = random.choice(np.arange(10_115, 99_000), number, replace=False)
        shares = 1 / np.arange(1, number + 1) ** 0.7
        return written(random.choice(codes, len(s), p=shares / shares.sum()), 0)

    return Column(name, "number", make)


def dates(name: str, first: str, last: str, form: str = "%Y-%m-%d", debatable: tuple[str, ...] = ()) -> Column:
    """Dates between two days that say nothing about when a row was recorded, such as a date of birth."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        low, high = (np.datetime64(day).astype(int) for day in (first, last))
        days = random.integers(low, high, len(s)).astype("datetime64[D]").astype(object)
        return [day.strftime(form) for day in days]

    return Column(name, "date", make, debatable)


def clock(name: str) -> Column:
    """Times of day."""

    def make(random: Random, s: np.ndarray) -> list[str]:
        minutes = np.clip(870 + 180 * s, 0, 1439).astype(int)
        return [f"{minute // 60:02d}:{minute % 60:02d}" for minute in minutes]

    return Column(name, "date", make)


# Subjects of tables: what their columns, classes, subjects and records are called.


@dataclass(frozen=True)
class Domain:
    """target, classes: of the class column; a table has two or more of the classes. subject: what may have repeated rows.

    record: what each row is, by which its number is named. leaks: names of columns that only the outcome makes.
    """

    name: str
    target: str
    classes: tuple[str, ...]
    columns: tuple[Column, ...]
    subject: str
    record: str
    leaks: tuple[str, ...]


YES_NO = ("yes", "no")
CLINIC = Domain(
    "clinic", "outcome", ("recovered", "relapsed", "died"),
    (
        number("age", 55, 16, 0, 18, 97), number("height_cm", 171, 9, 0, 140, 205), number("weight_kg", 78, 14, 1, 38, 180),
        number("bmi", 26, 4, 1, 15.2, 55), number("systolic_bp", 131, 17, 0, 82, 220), number("cholesterol", 205, 38, 0, 95, 420),
        skewed("glucose", 102, 0.2), skewed("creatinine", 0.95, 0.3, 2), count("hospital_stays", 1.2), count("children", 1.4),
        scale("pain_score", 0, 10), words("smoker", *YES_NO), words("sex", "female", "male"),
        words("blood_type", "A", "B", "AB", "O"), words("ward", "North", "South", "East", "West"), place("zip", 120),
        dates("date_of_birth", "1930-01-01", "2005-01-01"),
    ),
    "patient", "case", ("discharge_code", "autopsy_days", "risk_after_review"),
)  # fmt: skip
CREDIT = Domain(
    "credit", "loan_status", ("repaid", "defaulted"),
    (
        skewed("income", 38_000, 0.5), skewed("loan_amount", 9_500, 0.7), number("duration_months", 27, 11, 0, 4, 72),
        number("age", 41, 12, 0, 19, 82), number("interest_rate", 7.4, 2.1, 2, 0.9, 22), mostly_zero("capital_gain", 0.12, 6_000),
        count("late_payments", 0.4), count("open_accounts", 4.0), number("years_employed", 7, 5, 0, 0, 45),
        words("purpose", "car", "furniture", "radio/TV", "education", "business", "repairs"), words("phone", *YES_NO),
        words("housing", "own", "rent", "free"), place("postcode", 180), number("birth_year", 1980, 12, 0, 1938, 2002),
        number("debt_ratio", 0.31, 0.12, 3, 0, 0.95), words("foreign_worker", *YES_NO),
    ),
    "customer", "application", ("amount_written_off", "collection_status", "final_rating"),
)  # fmt: skip
MACHINES = Domain(
    "machines", "failure", ("none", "bearing", "overheating", "tool wear"),
    (
        number("temperature_c", 64, 9, 1, 20, 110), skewed("vibration", 2.1, 0.4, 3),
        number("pressure_bar", 6.2, 0.8, 2, 3.1, 9.5), number("rpm", 1480, 110, 0, 1050, 2000),
        number("load_pct", 55, 22, 1, 0, 100), number("torque_nm", 40, 6, 2, 12, 70),
        number("year_built", 2011, 6, 0, 1994, 2023), words("type", "type A", "type B", "type C"), count("errors", 0.6),
        words("line", "line 1", "line 2", "line 3"), words("operator", "Ana", "Bo", "Chen", "Dede", "Eva", "Finn"),
        dates("installed_on", "2008-01-01", "2022-12-31", debatable=("time",)), words("coolant", "oil", "water", "air"),
        number("offset_um", 0, 3.5, 2), scale("shift_score", 1, 5),
    ),
    "machine", "reading", ("repair_code", "downtime_minutes", "inspection_score"),
)  # fmt: skip
SCHOOL = Domain(
    "school survey", "passed", ("yes", "no"),
    (
        number("hours_studied", 6.5, 2.5, 1, 0, 20), count("absences", 1.5), count("siblings", 1.3), scale("test_score", 0, 20),
        number("class_size", 24, 4, 0, 12, 35), skewed("travel_minutes", 18, 0.5), skewed("books_at_home", 60, 0.9),
        words("school", "Goethe", "Curie", "Lincoln", "Mandela"), words("transport", "bus", "walk", "bike", "car"),
        words("breakfast", *YES_NO), place("postcode", 40), number("born", 2008, 1.4, 0, 2004, 2012),
        words("parent_job", "health", "services", "teacher", "at home", "other"), number("screen_hours", 3.1, 1.4, 1, 0, 11),
        scale("satisfaction", 1, 5), dates("birthday", "2004-01-01", "2012-12-31", "%d.%m.%Y"),
    ),
    "pupil", "form", ("certificate_points", "resit_date_code", "final_mark"),
)  # fmt: skip
SHOP = Domain(
    "shop", "segment", ("buyer", "browser", "returner"),
    (
        skewed("basket_value", 48, 0.8, 2), price("last_price", 40), count("returns", 0.2), number("age", 37, 12, 0, 16, 88),
        count("items", 3.0), words("city", *(f"{a}{b}" for a in ("Ober", "Nieder", "Bad ", "Neu") for b in
        ("dorf", "stadt", "heim", "feld", "burg", "hausen", "tal", "berg"))),
        words("weekday", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", debatable=("ordinal", "time")), clock("arrival_time"),
        words("browser", "Firefox", "Chrome", "Safari", "Edge"), mostly_zero("discount", 0.25, 12), words("coupon", *YES_NO),
        skewed("seconds_on_page", 75, 0.9, 1), number("stock", 120, 45, 0, 0, 400),
        words("colour", "red", "amber", "green", "blue"), skewed("customer_value", 3_400, 0.8),
    ),
    "customer", "order", ("refund_amount", "invoice_code", "retention_score"),
)  # fmt: skip
WEATHER = Domain(
    "weather", "tomorrow", ("dry", "rain", "snow"),
    (
        number("temperature", 9, 9, 1, -27, 40), number("humidity", 72, 14, 0, 12, 100),
        number("pressure_hpa", 1013, 8, 1, 970, 1045), mostly_zero("rain_mm", 0.35, 3, 1),
        words("wind_direction", "N", "NE", "E", "SE", "S", "SW", "W", "NW"),
        skewed("wind_kmh", 14, 0.5, 1), scale("cloud_okta", 0, 8), number("dew_point", 4, 7, 1, -31, 28),
        number("sunshine_h", 5, 3.5, 1, 0, 15), number("altitude_m", 400, 190, 0, 0, 2500), count("lightning", 0.3),
        words("sky", "haze", "clear", "overcast", "fog"), skewed("radiation", 310, 0.5, 1),
        number("visibility_km", 22, 8, 1, 2.5, 60),
    ),
    "station", "report", ("gauge_next_day", "warning_code", "verified_score"),
)  # fmt: skip
GENETICS = Domain(
    "genetics", "subtype", ("luminal", "basal", "HER2"),
    (
        *(skewed(gene, 8, 0.5, 4) for gene in ("BRCA1", "ESR1", "TP53", "MKI67")), number("log_ratio_1", 0, 1.1, 3),
        number("log_ratio_2", 0.2, 0.9, 3), words("rs1042522", "CC", "CG", "GG"), words("rs429358", "TT", "TC", "CC"),
        words("batch", "batch 1", "batch 2", "batch 3"), words("tissue", "breast", "node", "blood"), count("mutations", 2.0),
        number("age", 58, 12, 0, 27, 91), number("gc_content", 0.47, 0.05, 3, 0.3, 0.7), skewed("read_depth", 85, 0.4),
        skewed("reads_total", 2_300_000, 0.4),
    ),
    "donor", "sample", ("pathology_code", "panel_score", "therapy_days"),
)  # fmt: skip
SPORTS = Domain(
    "sports", "result", ("win", "draw", "loss"),
    (
        count("shots_on_goal", 3.5), number("distance_km", 10.4, 1.1, 2, 5.5, 14), number("heart_rate", 148, 14, 0, 95, 199),
        number("rating_difference", 0, 9, 0), words("position", "goalkeeper", "defender", "midfielder", "forward"),
        words("venue", "home", "away"), scale("shirt_number", 1, 30), number("minutes", 68, 24, 0, 1, 90),
        words("league", "Serie A", "Serie B", "La Liga"), number("height_cm", 182, 7, 0, 160, 205), count("cards", 0.2),
        number("sprint_s", 11.9, 0.5, 2, 10.1, 15), words("foot", "left", "right"), number("possession", 50, 9, 1, 18, 82),
        skewed("spectators", 14_000, 0.7),
    ),
    "player", "match", ("points_awarded", "goal_balance", "report_grade"),
)  # fmt: skip
FARM = Domain(
    "farm", "yield_class", ("below", "above"),
    (
        number("soil_ph", 6.4, 0.6, 2, 4.1, 8.6), number("nitrogen", 142, 30, 0, 45, 260), skewed("field_ha", 7, 0.7, 2),
        words("variety", "Astra", "Bravo", "Cora", "Delta"), number("slope_pct", 4, 3, 1, 0, 25), words("irrigated", *YES_NO),
        Column("year_sown", "number", number("", 2017, 3, 0, 2010, 2023).make, ("time", "ordinal")), count("cattle", 0.8),
        number("rain_spring", 160, 45, 0, 35, 330), number("min_temperature", -4, 4, 1, -19, 6), count("treatments", 1.8),
        words("soil", "clay", "loam", "sand", "peat"), number("sowing_depth", 3.4, 0.6, 1, 1.5, 6), place("parish", 60),
        skewed("distance_m", 900, 0.8),
    ),
    "farm", "plot", ("payout", "harvest_grade", "insurance_code"),
)  # fmt: skip
TRAFFIC = Domain(
    "traffic", "severity", ("slight", "serious", "fatal"),
    (
        number("speed_kmh", 57, 17, 0, 6, 160), count("pedestrians", 0.3), scale("lanes", 1, 4),
        number("driver_age", 42, 15, 0, 18, 92), words("road", "highway", "lowland road", "High Street", "medium strip"),
        words("junction", "T", "X", "Y", "roundabout"),
        words("light", "daylight", "street lamps", "dark"), place("district", 90), scale("hour", 0, 23),
        words("alcohol", *YES_NO),
        skewed("curve_radius", 230, 0.6), number("vehicle_year", 2012, 5, 0, 1990, 2023), mostly_zero("damage", 0.6, 2_500),
        number("gradient", 0, 2.2, 1, -9, 9), words("vehicle", "car", "van", "bike", "lorry"),
    ),
    "driver", "accident", ("ambulance_minutes", "insurance_settlement", "court_code"),
)  # fmt: skip
EQUAL_ROWS = Domain(
    "votes", "party", ("red", "blue"),
    tuple(words(name, "yes", "no", "abstained") for name in ("budget", "water", "schools", "roads", "tax", "trade", "visa"))
    + (words("region", "north", "south"), words("seat", "city", "country")),
    "member", "ballot", ("club_code", "list_score", "group_after_vote"),
)  # fmt: skip
DOMAINS = (CLINIC, CREDIT, MACHINES, SCHOOL, SHOP, WEATHER, GENETICS, SPORTS, FARM, TRAFFIC)


CHECKS = ("missing code", "leak", "group", "repeated rows", "id", "ordinal", "time")


@dataclass(frozen=True)
class Planted:
    """One trap. column: "" for repeated rows. how: in what form. code: the cells that stand for a missing value, as written.

    order: categories from lowest to highest.
    """

    check: str
    column: str
    how: str
    code: str = ""
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrapTable:
    """A file and its answers. debatable: pairs of check and column about which an alarm is neither right nor wrong."""

    name: str
    content: bytes
    target: str
    planted: tuple[Planted, ...]
    debatable: frozenset[tuple[str, str]]


@dataclass
class Draft:
    """A table under construction.

    classes: the class of each row, as an index into ``names``. columns: name -> cells as written with a decimal point.
    kinds: name -> "number", "category" or "date". subjects, times: of each row, where rows have a subject or a time in [0, 1].
    by_row: names of columns that number the rows anew, so that a repeated row has another number.
    """

    domain: Domain
    random: Random
    names: tuple[str, ...]
    classes: np.ndarray
    subjects: np.ndarray | None = None
    times: np.ndarray | None = None
    columns: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    by_row: set[str] = field(default_factory=set)
    planted: list[Planted] = field(default_factory=list)
    debatable: set[tuple[str, str]] = field(default_factory=set)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.classes)

    def latent(self, strength: float) -> np.ndarray:
        """A score of each row with SD 1: ``strength`` times what the class says, and something of the subject and of time."""
        effects = self.random.permutation(np.linspace(-1, 1, len(self.names)))
        score = strength * effects[self.classes] + self._own()
        if self.times is not None:
            score = score + self.random.uniform(-1, 1) * self.times
        return (score - score.mean()) / score.std()

    def _own(self) -> np.ndarray:
        """What is a row's own: noise, most of which rows of one subject share."""
        own = self.random.normal(size=self.rows)
        if self.subjects is None:
            return own
        shared = self.random.normal(size=self.subjects.max() + 1)
        return shared[self.subjects] + 0.25 * own

    def add_honest(self, column: Column, strength: float) -> None:
        """Add a column of the domain."""
        self.put(column.name, column.make(self.random, self.latent(strength)), column.kind)
        self.debatable |= {(check, column.name) for check in column.debatable}

    def put(self, name: str, cells: list[str], kind: str) -> None:
        """Add a column with these cells."""
        self.columns[name], self.kinds[name] = cells, kind

    def plant(self, check: str, column: str, how: str, code: str = "", order: tuple[str, ...] = ()) -> None:
        """Note a trap in the answers."""
        self.planted.append(Planted(check, column, how, code, order))

    def take(self, rows: np.ndarray) -> None:
        """Keep these rows, in this order."""
        self.classes = self.classes[rows]
        self.subjects = None if self.subjects is None else self.subjects[rows]
        self.times = None if self.times is None else self.times[rows]
        self.columns = {name: [cells[row] for row in rows] for name, cells in self.columns.items()}

    def choice(self, options: list[Callable[..., None]]) -> Callable[..., None]:
        """One of these."""
        return options[self.random.integers(len(options))]
