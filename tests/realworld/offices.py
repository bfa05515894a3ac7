"""Files as offices send them: spreadsheets and their exports, surveys, staff lists, banks, prices."""

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


@rows_of("Quality report 2024.xlsx", "Verdict", ["pass", "fail"], ["Torque [Nm]", "Line is B"], seed=3, rows=150,
         head=["Torque [Nm]", "Line", "Operator age", "Verdict"],
         written=lambda rows: workbook({"Report": [["Quality report 2024, plant 7"], [], *rows]}))  # fmt: skip
def workbook_with_a_title_above_its_header(rng, k):
    bad = k % 3 == 0
    line = "B" if bad or rng.random() < 0.1 else "A"
    return [round(float(rng.normal(58 if bad else 50, 2)), 2), line, int(rng.integers(20, 60)), "fail" if bad else "pass"]


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


@rows_of("bank-additional.csv", "y", ["yes", "no"], ["duration", "poutcome is success"], seed=8, rows=240,
         head=["age", "job", "marital", "duration", "poutcome", "y"],
         written=lambda rows: csv_text(rows, ";", quote_all=True).encode())  # fmt: skip
def bank_campaign_with_unknowns(rng, k):
    buys = k % 4 == 0
    job = rng.choice(["admin.", "blue-collar", "technician", "unknown"])
    before = "success" if buys and rng.random() < 0.8 else rng.choice(["failure", "nonexistent", "unknown"])
    seconds = int(rng.normal(900 if buys else 250, 120))
    return [int(rng.integers(18, 80)), job, rng.choice(["single", "married", "unknown"]), seconds, before, ("no", "yes")[buys]]
