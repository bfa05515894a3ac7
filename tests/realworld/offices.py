"""Files as offices send them: spreadsheets and their exports, surveys, staff lists, banks, prices."""

import gzip

from tests.realworld.catalogue import csv_text, noise, table
from tests.realworld.workbook import workbook


def comma(number: float) -> str:
    return f"{number:.1f}".replace(".", ",")


@table("Messwerte.csv", "Ergebnis", ["gut", "schlecht"], ["Größe (cm)", "Länge über alles"])
def german_measurements_from_a_spreadsheet():
    rng, rows = noise(1), [["Größe (cm)", "Länge über alles", "Gerät", "Ergebnis"]]
    for k in range(160):
        good = k % 2
        size, length = 170 + 12 * good + rng.normal(0, 4), 40 - 8 * good + rng.normal(0, 3)
        rows.append([comma(size), comma(length), rng.choice(["Süd", "Nord", "Öst"]), ("schlecht", "gut")[good]])
    return csv_text(rows, ";").encode("cp1252")


@table("export.csv", "Klasse", ["A", "B", "C"], ["Umsatz in €", "Kundenart is Firma"])
def spreadsheet_export_with_a_hint_and_a_mark():
    rng, rows = noise(2), [["Kundennr", "Umsatz in €", "Kundenart", "Klasse"]]
    for k in range(180):
        kind = k % 3
        turnover = (200, 900, 900)[kind] + rng.normal(0, 80)
        rows.append([10_000 + k * 7, comma(turnover), ("Privat", "Privat", "Firma")[kind], "ABC"[kind]])
    return ("sep=;\r\n" + csv_text(rows, ";")).encode("utf-8-sig")


@table("Quality report 2024.xlsx", "Verdict", ["pass", "fail"], ["Torque [Nm]", "Line is B"])
def workbook_with_a_title_above_its_header():
    rng = noise(3)
    rows = [["Quality report 2024, plant 7"], [], ["Torque [Nm]", "Line", "Operator age", "Verdict"]]
    for k in range(150):
        bad = k % 3 == 0
        line = "B" if bad or rng.random() < 0.1 else "A"
        rows.append(
            [round(float(rng.normal(58 if bad else 50, 2)), 2), line, int(rng.integers(20, 60)), "fail" if bad else "pass"]
        )
    return workbook({"Report": rows})


@table("Umfrage.xlsx", "Zufrieden", ["ja", "nein"], ["Wartezeit (min)"])
def workbook_with_gaps_and_a_second_sheet():
    rng, rows = noise(4), [["Wartezeit (min)", "Filiale", "Besuche", "Zufrieden"]]
    for k in range(140):
        happy = k % 2
        wait = None if k % 11 == 5 else int(rng.integers(2, 15) if happy else rng.integers(14, 45))
        rows.append([wait, str(rng.choice(["Mitte", "West"])), int(rng.integers(1, 9)), ("nein", "ja")[happy]])
    return workbook({"Antworten": rows, "Legende": [["Code", "Bedeutung"], ["1", "einmal"]]})


LIKERT = ["strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"]


@table(
    "survey_results.csv", "Would you recommend us?", ["Yes", "No"],
    ["The staff were friendly. is", "strongly agree", "It was easy to find what I wanted."],
)  # fmt: skip
def survey_of_agreement():
    rng, head = noise(5), ["Timestamp", "The staff were friendly.", "It was easy to find what I wanted.", "Age group"]
    rows = [[*head, "Would you recommend us?"]]
    for k in range(200):
        likes = k % 2
        friendly, easy = (
            rng.choice(LIKERT, p=p if likes else p[::-1]) for p in ([0, 0.05, 0.1, 0.25, 0.6], [0.02, 0.03, 0.1, 0.4, 0.45])
        )
        day = f"2024/03/{1 + k % 28:02d} {k % 24}:{k % 60:02d}:{k * 7 % 60:02d}"
        rows.append([day, friendly, easy, rng.choice(["18-25", "26-40", "41-60", "60+"]), ("No", "Yes")[likes]])
    return csv_text(rows, quote_all=True).encode()


@table("HR_employees.csv", "Attrition", ["Yes", "No"], ["Monthly Income", "Over Time is Yes"],
       ["Employee ID", "Full Name", "Standard Hours"])  # fmt: skip
def staff_list_with_numbers_and_names():
    rng, rows = (
        noise(6),
        [["Employee ID", "Full Name", "Department", "Monthly Income", "Over Time", "Standard Hours", "Attrition"]],
    )
    for k in range(210):
        leaves = k % 3 == 0
        income = rng.normal(2600 if leaves else 6200, 900)
        over = "Yes" if rng.random() < (0.9 if leaves else 0.15) else "No"
        rows.append([f"E-{k:05d}", f"Kim O'{k}", rng.choice(["Sales", "R&D"]), round(income), over, 80, ("No", "Yes")[leaves]])
    return csv_text(rows).encode()


@table("houses.csv", "price band", ["cheap", "fair", "dear"], ["asking price", "living area (sq ft)"], ["address"])
def houses_with_currency():
    rng, rows = noise(7), [["address", "asking price", "living area (sq ft)", "garage", "price band"]]
    for k in range(180):
        band = k % 3
        price, area = (120_000, 310_000, 720_000)[band] + rng.normal(0, 30_000), (700, 1500, 2900)[band] + rng.normal(0, 200)
        band_name = ("cheap", "fair", "dear")[band]
        rows.append([f"{k} Elm Street", f"${price:,.0f}", f"{area:,.0f}", rng.choice(["yes", "no"]), band_name])
    return csv_text(rows).encode()


@table("bank-additional.csv", "y", ["yes", "no"], ["duration", "poutcome is success"])
def bank_campaign_with_unknowns():
    rng, rows = noise(8), [["age", "job", "marital", "duration", "poutcome", "y"]]
    for k in range(240):
        buys = k % 4 == 0
        job = rng.choice(["admin.", "blue-collar", "technician", "unknown"])
        before = "success" if buys and rng.random() < 0.8 else rng.choice(["failure", "nonexistent", "unknown"])
        seconds = int(rng.normal(900 if buys else 250, 120))
        rows.append(
            [int(rng.integers(18, 80)), job, rng.choice(["single", "married", "unknown"]), seconds, before, ("no", "yes")[buys]]
        )
    return csv_text(rows, ";", quote_all=True).encode()


@table("credit.csv.gz", "default", ["0", "1"], ["credit utilisation", "months late"], ["customer_id"])
def credit_with_classes_0_and_1():
    rng, rows = noise(9), [["customer_id", "credit utilisation", "months late", "region code", "default"]]
    for k in range(200):
        fails = k % 4 == 1
        use = f"{min(100, max(0, rng.normal(88 if fails else 30, 9))):.0f}%"
        rows.append([900_000 + 13 * k, use, int(rng.poisson(4 if fails else 0.3)), int(rng.integers(1, 5)), int(fails)])
    return gzip.compress(csv_text(rows).encode(), mtime=0)


@table("tickets.csv", "priority", ["low", "medium", "high"], ["Impact is high", "Affected users"], ["Ticket"])
def tickets_with_ordered_categories():
    rng, rows = noise(10), [["Ticket", "Impact", "Urgency", "Affected users", "priority"]]
    for k in range(210):
        level = k % 3
        words = ("low", "medium", "high")
        impact = words[level] if rng.random() < 0.9 else words[int(rng.integers(3))]
        rows.append([f"T{k:04d}", impact, words[int(rng.integers(3))], int(rng.poisson((2, 12, 40)[level])), words[level]])
    return csv_text(rows).encode()


@table("checklist.csv", "approved", ["yes", "no"], ["signed is yes", "paid in full is yes"])
def checklist_of_yes_and_no():
    rng, rows = noise(11), [["signed", "paid in full", "photo enclosed", "by post", "approved"]]
    for k in range(160):
        fine = k % 2 == 0
        signed, paid = (("yes", "no")[int(rng.random() < (0.05 if fine else 0.75))] for _ in range(2))
        rows.append([signed, paid, *rng.choice(["yes", "no"], 2), ("no", "yes")[fine]])
    return csv_text(rows).encode()
