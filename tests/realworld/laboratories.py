"""Files as laboratories and archives send them: patients, sensors, weather, genes, and the formats of other programs."""

import io
import zipfile
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.realworld.catalogue import comma, csv_text, noise, rows_of, table


@rows_of("体检.csv", "类别", ["健康", "患病"], ["血压（高压）", "吸烟 is 是"], seed=21, rows=180,
         head=["血压（高压）", "体重（公斤）", "城市", "吸烟", "类别"],
         written=lambda rows: csv_text(rows).encode("gb18030"))  # fmt: skip
def chinese_health_checks(rng, k):
    ill = k % 3 == 0
    smokes = "是" if rng.random() < (0.9 if ill else 0.1) else "否"
    pressure, weight = round(float(rng.normal(160 if ill else 118, 8)), 1), round(float(rng.normal(66, 9)), 1)
    return [pressure, weight, rng.choice(["北京", "上海", "广州"]), smokes, ("健康", "患病")[ill]]


@rows_of("patients.csv", "Diagnosis", ["infection", "healthy"], ["CRP (mg/L)", "Temp. °C"], seed=22, rows=170,
         head=["Patient No", "CRP (mg/L)", "Weight", "Temp. °C", "Ward", "Diagnosis"],
         left_out=["Patient No"], plain=True)  # fmt: skip
def patients_with_units_and_bounds(rng, k):
    ill = k % 2
    crp = f"{rng.normal(80, 20):.1f}" if ill else "<5" if rng.random() < 0.5 else f"{rng.uniform(5, 12):.1f}"
    weight = "n/a" if k % 17 == 3 else f"{rng.normal(72, 10):.0f} kg"
    heat = f"{rng.normal(38.8 if ill else 36.7, 0.3):.1f}"
    return [f"P{k:04d}", crp, weight, heat, rng.choice(["3A", "3B"]), ("healthy", "infection")[ill]]


@rows_of("sensor_log.csv", "state", ["ok", "worn"], ["vibration_rms", "motor temperature [°C]"], seed=23, rows=240,
         head=["timestamp", "motor temperature [°C]", "vibration_rms", "rpm", "state"], plain=True,
         written=lambda rows: csv_text(rows, newline="\n").encode())  # fmt: skip
def sensor_with_timestamps(rng, k):
    worn = k % 3 == 1
    at = (datetime(2023, 11, 5, 6, 0) + timedelta(minutes=17 * k)).isoformat()
    heat, shake = rng.normal(78 if worn else 55, 4), rng.normal(4.1 if worn else 1.2, 0.5)
    return [at + "Z", f"{heat:.2f}", f"{shake:.3f}", int(rng.normal(1450, 9)), ("ok", "worn")[worn]]


@rows_of("train.csv", "Survived", ["0", "1"], ["Sex is female", "Pclass"], seed=24, rows=260,
         head=["PassengerId", "Survived", "Pclass", "Name", "Sex", "Age", "Ticket", "Fare", "Cabin", "Embarked"],
         left_out=["PassengerId", "Name", "Ticket"], plain=True)  # fmt: skip
def passengers_of_a_ship(rng, k):
    lives = k % 5 < 2
    sex = "female" if rng.random() < (0.85 if lives else 0.12) else "male"
    pclass = int(rng.choice([1, 2, 3], p=[0.6, 0.3, 0.1] if lives else [0.08, 0.17, 0.75]))
    age = "" if k % 5 == 3 else f"{rng.uniform(1, 70):.0f}"
    cabin = f"C{k}" if pclass == 1 and rng.random() < 0.7 else ""
    name = f'Doe, {"Mrs." if sex == "female" else "Mr."} J. "{k}"'
    ticket, fare = f"A/5 {21_000 + 7 * k}", f"{rng.gamma(2, 20) / pclass:.4f}"
    return [k + 1, int(lives), pclass, name, sex, age, ticket, fare, cabin, "SCQ"[k % 3]]


@rows_of("weather.csv", "RainTomorrow", ["Yes", "No"], ["Humidity 3pm", "Pressure (hPa)"], seed=25, rows=220,
         head=["Date", "Station", "Precipitation (mm)", "Humidity 3pm", "Pressure (hPa)", "WindDir", "RainTomorrow"],
         left_out=["Station"], plain=True)  # fmt: skip
def weather_with_traces(rng, k):
    wet = k % 3 == 0
    rain = rng.choice(["T", "0.0", f"{rng.gamma(1, 4):.1f}"], p=[0.06, 0.44, 0.5])
    day = f"{1 + k % 28:02d}.{1 + k // 28:02d}.2019"
    humid, pressure = f"{rng.normal(84 if wet else 45, 7):.0f}", f"{rng.normal(1002 if wet else 1021, 4):.1f}"
    return [day, "Ulm", rain, humid, "" if k % 23 == 4 else pressure, rng.choice(["N", "SSW", "E"]), ("No", "Yes")[wet]]


@table("expression.tsv", "tumour type", ["ALL", "AML"], ["GENE_"], left_out=["sample"])
def genes_of_sixty_samples():
    rng, kinds = noise(26), np.arange(60) % 2
    values = rng.normal(7, 1, (60, 300)) + np.outer(kinds, np.repeat([3.0, 0.0], [40, 260]))
    head = ["sample", *(f"GENE_{k}_at" for k in range(300)), "tumour type"]
    rows = [[f"S{k:02d}", *(f"{v:.3f}" for v in values[k]), ("ALL", "AML")[kinds[k]]] for k in range(60)]
    return csv_text([head, *rows], "\t", "\n").encode()


@table("features.csv", "class", ["cat", "dog", "owl"], ["feature "], plain=True)
def three_hundred_columns():
    rng, kinds = noise(27), np.arange(240) % 3
    values = rng.normal(0, 1, (240, 300))
    values[:, :30] += 3 * np.eye(3)[kinds].repeat(10, axis=1)
    head = [*(f"feature {k}" for k in range(300)), "class"]
    return csv_text([head, *([*np.round(v, 3), ("cat", "dog", "owl")[c]] for v, c in zip(values, kinds, strict=True))]).encode()


@rows_of("minerals.csv", "mineral", ["quartz", "calcite", "beryl"], ["Hardness (Mohs)", "Streak is white"], seed=28, rows=165,
         head=["Hardness (Mohs)", "Density g/cm3", "Streak", "mineral"], plain=True)  # fmt: skip
def minerals_with_a_class_of_five_rows(rng, k):
    kind = 2 if k >= 160 else k % 2
    hard, heavy = (7.0, 3.0, 7.8)[kind] + rng.normal(0, 0.2), (2.65, 2.71, 2.76)[kind] + rng.normal(0, 0.05)
    streak = "white" if rng.random() < (0.1, 0.9, 0.5)[kind] else "grey"
    return [f"{hard:.1f}", f"{heavy:.2f}", streak, ("quartz", "calcite", "beryl")[kind]]


@rows_of("Versuch 12.tsv", "Stabil", ["ja", "nein"], ["Zug an der Probe", "Charge is alt"], seed=29, rows=150,
         head=[" Zug an der Probe ", "Charge", "pH Wert", "Stabil"],
         written=lambda rows: csv_text(rows, "\t").encode("utf-16"))  # fmt: skip
def experiment_with_tabs_and_spaces(rng, k):
    holds = k % 2
    force = f"{rng.normal(12 if holds else 21, 2):.2f}".replace(".", ",")
    batch = ("alt", "neu")[int(rng.random() < (0.9 if holds else 0.1))]
    return [force, batch, comma(rng.normal(7, 0.3)), ("nein", "ja")[holds]]


def arff(rows):
    lines = ["% Labour agreements, made up", "@relation 'labor relations'", "", "@attribute wage-increase numeric"]
    lines += ["@attribute 'working hours' real", "@attribute pension {none,ret_allw,empl_contr}", "@attribute class {bad,good}"]
    return "\n".join([*lines, "", "@data", *(",".join(row) for row in rows[1:]), ""]).encode()


@rows_of("labor.arff", "class", ["good", "bad"], ["wage-increase", "pension is empl_contr"], seed=30, rows=160,
         head=(), written=arff)  # fmt: skip
def attribute_relation_file(rng, k):
    good = k % 2
    pension = rng.choice(["none", "ret_allw", "empl_contr"], p=[0.05, 0.1, 0.85] if good else [0.7, 0.25, 0.05])
    wage = "?" if k % 13 == 2 else f"{rng.normal(5 if good else 2.2, 0.6):.1f}"
    return [wage, str(rng.integers(35, 41)), pension, ("bad", "good")[good]]


@table("readings.parquet", "quality", ["A", "B"], ["ash_content", "supplier is Nord"])
def parquet_from_a_data_frame():
    rng, kinds = noise(31), np.arange(180) % 2
    supplier = [("Nord", "Süd")[int(rng.random() < (0.1 if kind else 0.9))] for kind in kinds]
    ash = pa.array(np.where(np.arange(180) % 19 == 3, np.nan, rng.normal(2 + 3 * kinds, 0.6)), from_pandas=True)
    day = np.datetime64("2022-05-01") + np.arange(180).astype("timedelta64[D]")
    columns = {"ash_content": ash, "taken": day, "supplier": pa.array(supplier).dictionary_encode()}
    file = io.BytesIO()
    pq.write_table(pa.table({**columns, "moist": rng.random(180) > 0.5, "quality": ["AB"[kind] for kind in kinds]}), file)
    return file.getvalue()


def zipped(rows):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("wine data/wein.csv", csv_text(rows, ";").encode())
        archive.writestr("__MACOSX/wine data/._wein.csv", b"\0\5\x16\7\0\2\0\0Mac OS X        ")
    return file.getvalue()


@rows_of("wine data.zip", "Typ", ["rot", "weiß"], ["flüchtige Säure", "Schwefel"], seed=32, rows=170,
         head=["flüchtige Säure", "Schwefel", "Alkohol", "Typ"], written=zipped)  # fmt: skip
def zip_of_a_csv_and_a_readme(rng, k):
    white = k % 2
    acid, sulphur = rng.normal(0.27 if white else 0.55, 0.05), rng.normal(140 if white else 45, 15)
    return [f"{acid:.3f}", f"{sulphur:.0f}", f"{rng.normal(10.5, 1):.1f}", ("rot", "weiß")[white]]
