"""Files as offices send them: spreadsheets and their exports, surveys, staff lists, banks, prices."""

import gzip

from tests.realworld.catalogue import comma, csv_text, rows_of
from tests.realworld.workbook import workbook


def semicolons(rows):
    return csv_text(rows, ";")


@rows_of("Messwerte.csv", "Ergebnis", ["gut", "schlecht"], ["Größe (cm)", "Länge über alles"], seed=1, rows=160,
         head=["Größe (cm)", "Länge über alles", "Gerät", "Ergebnis"],
         written=lambda rows: semicolons(rows).encode("cp1252"))  # fmt: skip
def german_measurements_from_a_spreadsheet(rng, k):
    good = k % 2
    size, length = 170 + 12 * good + rng.normal(0, 4), 40 - 8 * good + rng.normal(0, 3)
    return [comma(size), comma(length), rng.choice(["Süd", "Nord", "Öst"]), ("schlecht", "gut")[good]]


@rows_of("export.csv", "Klasse", ["A", "B", "C"], ["Umsatz in €", "Kundenart is Firma"], seed=2, rows=180,
         head=["Kundennr", "Umsatz in €", "Kundenart", "Klasse"],
         written=lambda rows: ("sep=;\r\n" + semicolons(rows)).encode("utf-8-sig"))  # fmt: skip
def spreadsheet_export_with_a_hint_and_a_mark(rng, k):
    kind = k % 3
    turnover = (200, 900, 900)[kind] + rng.normal(0, 80)
    return [10_000 + k * 7, comma(turnover), ("Privat", "Privat", "Firma")[kind], "ABC"[kind]]


@rows_of("Quality report 2024.xlsx", "Verdict", ["pass", "fail"], ["Torque [Nm]", "Line is B"], seed=3, rows=150,
         head=["Torque [Nm]", "Line", "Operator age", "Verdict"],
         written=lambda rows: workbook({"Report": [["Quality report 2024, plant 7"], [], *rows]}))  # fmt: skip
def workbook_with_a_title_above_its_header(rng, k):
    bad = k % 3 == 0
    line = "B" if bad or rng.random() < 0.1 else "A"
    return [round(float(rng.normal(58 if bad else 50, 2)), 2), line, int(rng.integers(20, 60)), "fail" if bad else "pass"]


@rows_of("Umfrage.xlsx", "Zufrieden", ["ja", "nein"], ["Wartezeit (min)"], seed=4, rows=140,
         head=["Wartezeit (min)", "Filiale", "Besuche", "Zufrieden"],
         written=lambda rows: workbook({"Antworten": rows, "Legende": [["Code", "Bedeutung"], ["1", "einmal"]]}))  # fmt: skip
def workbook_with_gaps_and_a_second_sheet(rng, k):
    happy = k % 2
    wait = None if k % 11 == 5 else int(rng.integers(2, 15) if happy else rng.integers(14, 45))
    return [wait, str(rng.choice(["Mitte", "West"])), int(rng.integers(1, 9)), ("nein", "ja")[happy]]


LIKERT = ["strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"]


@rows_of("survey_results.csv", "Would you recommend us?", ["Yes", "No"],
         ["The staff were friendly. is", "strongly agree", "It was easy to find what I wanted."], seed=5, rows=200, plain=True,
         head=["Timestamp", "The staff were friendly.", "It was easy to find what I wanted.", "Age group",
               "Would you recommend us?"],
         written=lambda rows: csv_text(rows, quote_all=True).encode())  # fmt: skip
def survey_of_agreement(rng, k):
    likes = k % 2
    friendly, easy = (
        rng.choice(LIKERT, p=p if likes else p[::-1]) for p in ([0, 0.05, 0.1, 0.25, 0.6], [0.02, 0.03, 0.1, 0.4, 0.45])
    )
    day = f"2024/03/{1 + k % 28:02d} {k % 24}:{k % 60:02d}:{k * 7 % 60:02d}"
    return [day, friendly, easy, rng.choice(["18-25", "26-40", "41-60", "60+"]), ("No", "Yes")[likes]]


@rows_of("HR_employees.csv", "Attrition", ["Yes", "No"], ["Monthly Income", "Over Time is Yes"], seed=6, rows=210, plain=True,
         head=["Employee ID", "Full Name", "Department", "Monthly Income", "Over Time", "Standard Hours", "Attrition"],
         left_out=["Employee ID", "Full Name", "Standard Hours"])  # fmt: skip
def staff_list_with_numbers_and_names(rng, k):
    leaves = k % 3 == 0
    income = rng.normal(2600 if leaves else 6200, 900)
    over = "Yes" if rng.random() < (0.9 if leaves else 0.15) else "No"
    return [f"E-{k:05d}", f"Kim O'{k}", rng.choice(["Sales", "R&D"]), round(income), over, 80, ("No", "Yes")[leaves]]


@rows_of("houses.csv", "price band", ["cheap", "fair", "dear"], ["asking price", "living area (sq ft)"], seed=7, rows=180,
         head=["address", "asking price", "living area (sq ft)", "garage", "price band"],
         left_out=["address"], plain=True)  # fmt: skip
def houses_with_currency(rng, k):
    band = k % 3
    price, area = (120_000, 310_000, 720_000)[band] + rng.normal(0, 30_000), (700, 1500, 2900)[band] + rng.normal(0, 200)
    band_name = ("cheap", "fair", "dear")[band]
    return [f"{k} Elm Street", f"${price:,.0f}", f"{area:,.0f}", rng.choice(["yes", "no"]), band_name]


@rows_of("bank-additional.csv", "y", ["yes", "no"], ["duration", "poutcome is success"], seed=8, rows=240,
         head=["age", "job", "marital", "duration", "poutcome", "y"],
         written=lambda rows: csv_text(rows, ";", quote_all=True).encode())  # fmt: skip
def bank_campaign_with_unknowns(rng, k):
    buys = k % 4 == 0
    job = rng.choice(["admin.", "blue-collar", "technician", "unknown"])
    before = "success" if buys and rng.random() < 0.8 else rng.choice(["failure", "nonexistent", "unknown"])
    seconds = int(rng.normal(900 if buys else 250, 120))
    return [int(rng.integers(18, 80)), job, rng.choice(["single", "married", "unknown"]), seconds, before, ("no", "yes")[buys]]


@rows_of("credit.csv.gz", "default", ["0", "1"], ["credit utilisation", "months late"], seed=9, rows=200,
         head=["customer_id", "credit utilisation", "months late", "region code", "default"], left_out=["customer_id"],
         written=lambda rows: gzip.compress(csv_text(rows).encode(), mtime=0))  # fmt: skip
def credit_with_classes_0_and_1(rng, k):
    fails = k % 4 == 1
    use = f"{min(100, max(0, rng.normal(88 if fails else 30, 9))):.0f}%"
    return [900_000 + 13 * k, use, int(rng.poisson(4 if fails else 0.3)), int(rng.integers(1, 5)), int(fails)]


@rows_of("tickets.csv", "priority", ["low", "medium", "high"], ["Impact is high", "Affected users"], seed=10, rows=210,
         head=["Ticket", "Impact", "Urgency", "Affected users", "priority"], left_out=["Ticket"], plain=True)  # fmt: skip
def tickets_with_ordered_categories(rng, k):
    level, words = k % 3, ("low", "medium", "high")
    impact = words[level] if rng.random() < 0.9 else words[int(rng.integers(3))]
    return [f"T{k:04d}", impact, words[int(rng.integers(3))], int(rng.poisson((2, 12, 40)[level])), words[level]]


@rows_of("checklist.csv", "approved", ["yes", "no"], ["signed is yes", "paid in full is yes"], seed=11, rows=160, plain=True,
         head=["signed", "paid in full", "photo enclosed", "by post", "approved"])  # fmt: skip
def checklist_of_yes_and_no(rng, k):
    fine = k % 2 == 0
    signed, paid = (("yes", "no")[int(rng.random() < (0.05 if fine else 0.75))] for _ in range(2))
    return [signed, paid, *rng.choice(["yes", "no"], 2), ("no", "yes")[fine]]
