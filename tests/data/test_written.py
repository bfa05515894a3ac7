"""Cells as people write them, through the whole of reading: the numbers or dates that a column becomes, and what is said."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from tests.data.reading.in_process import read_here
from tsk_core.data import make_dataset

NAN = np.nan


@dataclass
class Column:
    """A column of a file. cells: parted by " | ", those of one half of the file; the other has the same. values: their feature.

    sep: separator. beside: each cell of the column beside it. said: in a finding.
    """

    cells: str
    values: list
    sep: str = ","
    beside: str = "k"
    said: str = ""


def euro(cells, values):
    """A file of semicolons in which another column needs a decimal comma."""
    return Column(cells, values, ";", "14,96")


NUMBERS = {
    "thousands commas": Column("1,234 | 12,345.5 | 7", [1234, 12345.5, 7]),
    "thousands points": euro("1.234,5 | 2,5 | 1.000", [1234.5, 2.5, 1000]),
    "thousands points of a currency alone": Column("R$ 12.500 | R$ 9.100", [12500, 9100], ";"),
    "thousands commas between tabs": Column("45,000 | 61,500 | 52,000", [45000, 61500, 52000], "\t", said="separators ignored"),
    "thousands commas between semicolons": Column("45,000 | 61,500", [45000, 61500], ";"),
    "a cell with another number of places": Column("45,000 | 61,5", [45, 61.5], "\t"),
    "another column with decimal commas": euro("45,000 | 61,500", [45, 61.5]),
    "apostrophes": Column("1'234 | 12’345.5 | 1´234'000.5", [1234, 12345.5, 1234000.5]),
    "apostrophes and a decimal comma": euro("1'234,5 | 2’345,125", [1234.5, 2345.125]),
    "spaces": Column("1 234 | 12\u202f345 | 1\xa0234.5", [1234, 12345, 1234.5]),
    "spaces and a decimal comma": euro("1 234,5 | 1\u202f234,125 | 12\xa0345 | 7", [1234.5, 1234.125, 12345, 7]),
    "Indian groups": Column("₹ 12,34,567.50 | ₹1,23,456/- | 1,00,000", [1234567.5, 123456, 100000]),
    "Mexican groups": Column("$1'234,567.89 | $12,345.00", [1234567.89, 12345]),
    "decimal commas": Column("1,5 | 2,25 | 3,125 | 4", [1.5, 2.25, 3.125, 4]),
    "points that separate no thousands": euro("0.125 kg | 1.234 kg | 2.5 kg", [0.125, 1.234, 2.5]),
    "a currency before": Column("$1,234 | $ 12.5 | -$3 | $-4", [1234, 12.5, -3, -4]),
    "a currency with letters": Column("R$ 1.234,56 | R$912,10 | -R$ 2,00", [1234.56, 912.1, -2], ";", said="unit 'R$' ignored"),
    "a currency of letters": euro("kr 1 234,50 | kr. 7,25 | 12,- kr", [1234.5, 7.25, 12]),
    "currencies and a decimal comma": euro("€ 1.234,50 | € 3,125 | € 4", [1234.5, 3.125, 4]),
    "a currency behind": Column("12 € | 13,50 €", [12, 13.5]),
    "a currency code": Column("CHF 1'200 | CHF 3 | 4 chf", [1200, 3, 4]),
    "percent in some cells": Column("50% | 20% | 5.5 | 7 %", [50, 20, 5.5, 7], said="the unit '%' (in 6 of 8 cells) ignored"),
    "percent": euro("12,375 % | 5,5%", [12.375, 5.5]),
    "a unit": Column("12 km/h | 7km/h | 3 | 4 KM/H", [12, 7, 3, 4]),
    "a unit and a decimal comma": euro("14,96 | 1,5 kg | 1,234 kg | 1.234,5 kg | 2", [14.96, 1.5, 1.234, 1234.5, 2]),
    "a unit alone": euro("1,234 kg | 2,345 kg | 3.456 kg", [1.234, 2.345, 3456]),
    "English thousands and a unit": Column("1,234 kg | 2,234 kg | 3,234 kg", [1234, 2234, 3234], beside="0.5"),
    "a squared unit": Column("12 m² | 7.5 m²", [12, 7.5]),
    "signs": euro("−1,234 | -0,125 | –2,5 | +3", [-1.234, -0.125, -2.5, 3]),
    "a minus behind": euro("1.234,56- | 500,10 | 2.900,40 | 7- €", [-1234.56, 500.1, 2900.4, -7]),
    "a minus behind whole numbers": Column("12- | 7 | 31 | 5-", [-12, 7, 31, -5], said="4 cells such as '12-' read as negative"),
    "parentheses": Column("(1,234.50) | (2) | 3 | (4%)", [-1234.5, -2, 3, -4], said="6 cells such as '(1,234.50)'"),
    "parentheses and a currency": euro("R$ (1.234,50) | (R$ 5) | R$ 7,25", [-1234.5, -5, 7.25]),
    "exponents": Column("1e3 | 2.5E-2 | 1000e1", [1000, 0.025, 10000]),
    "exponents without decimals": Column("1e3 | 1e5 | 10", [1000, 100000, 10]),
    "exponents after a decimal comma": Column("5,551e4 | 2,5E-2", [55510, 0.025]),
    "exponents of codes": Column("5E1 | 5E2 | 5E1 | 71", ["5E1", "5E2", "5E1", "71"], said="codes that could be read as numbers"),
    "points without digits on one side": Column(".5 | 5. | -.25", [0.5, 5, -0.25]),
    "approximate": euro("ca. 1,234 | 2,5 | ~3,125", [1.234, 2.5, 3.125]),
    "infinity": Column("inf | -Infinity | 1e400 | 1 | 2", [NAN, NAN, NAN, 1, 2]),
    "words for missing values": Column("- | 1.5 | missing | 2", [NAN, 1.5, NAN, 2], said="4 cells with '-' and 'missing'"),
    "magnitudes": Column("19M | 201k", ["19M", "201k"], said="numbers in several units, such as '19M' and '201k'"),
    # Open ends and labels.
    "bounds": Column("<5 | 7 | > 100 | ≤ 8 | 9 | 10 | 11", [5, 7, 100, 8, 9, 10, 11]),
    "bounds and a decimal comma": euro("<1,234 | <0,5 | 7,25 | 8,5 | 9", [1.234, 0.5, 7.25, 8.5, 9]),
    "bounds in most cells": Column("<5 | <5 | <5 | 7 | 9.5", [5, 5, 5, 7, 9.5], said="6 cells such as '<5' read as the bound"),
    "an open end": Column("0 | 1 | 2 | 3+", [0, 1, 2, 3], said="2 cells such as '3+' read as the bound"),
    "an open end in words": euro("1 | 5 | 10 oder mehr | 2 | unter 1", [1, 5, 10, 2, 1]),
    "open ends of all": Column("500+ | 10,000+ | 1,000,000+", [500, 10000, 1000000]),
    "open ends before a unit": Column("< 1 year | 1 year | 5 years | 10+ years", [1, 1, 5, 10], said="unit 'year' ignored"),
    "a label at an end": Column("2 | 3 | 4 | 2 | 5 - very much", [2, 3, 4, 2, 5], said="2 cells such as '5 - very much'"),
    "labels at both ends": Column("1 = gar nicht | 2 | 3 | 1 = gar nicht | 4 (sehr)", [1, 2, 3, 1, 4], ";"),
    "a label before its number": Column("not at all (0) | 1 | 2 | very much (3)", [0, 1, 2, 3]),
    "a label that says missing": Column("1 | 2 | 3 | 2 | 9 - no answer | 0: none", [1, 2, 3, 2, NAN, 0]),
}  # fmt: skip


DATES = {  # to the minute, in UTC
    "months in German": Column("1. März 2024 | 02. Mrz 2024 | 24. Dez. 2024", ["03-01", "03-02", "12-24"]),
    "months in Spanish": Column("05-ene-2024 | 17-abr-2024 | 3 de agosto de 2024", ["01-05", "04-17", "08-03"]),
    "months in Portuguese": Column("terça-feira, 2 de abril de 2024 | 05/dez./2024", ["04-02", "12-05"], ";"),
    "months in French": Column("1er février 2024 | 14 août 2024 | 3 déc. 2024", ["02-01", "08-14", "12-03"]),
    "months in Polish": Column("5 października 2024 | 14 lis 2024", ["10-05", "11-14"]),
    "months in Russian and Greek": Column("5 мая 2024 | 7 Νοε 2024", ["05-05", "11-07"]),
    "months in Finnish and Turkish": Column("5. marraskuuta 2024 | 6 Şubat 2024", ["11-05", "02-06"]),
    "months in Hungarian": Column("2024. január 5. | 2024. szeptember 30.", ["01-05", "09-30"]),
    "years first": Column("2024年3月1日 | 2024년 12월 24일 | 2024. 3. 5. | 2024/3/1", ["03-01", "12-24", "03-05", "03-01"]),
    "ordinals": Column("March 5th, 2024 | 1st of May 2024", ["03-05", "05-01"]),
    "a month and a year": Column("Mar-24 | Dec-24", ["03-01", "12-01"]),
    "one day above 12": Column("1/2/2024 | 3/4/2024 | 13/5/2024", ["02-01", "04-03", "05-13"]),
    "a zone": Column("2024-01-01T12:00:00+01:00 | 2024-01-01T11:00:00Z | 2024-01-02 11:00 EST", ["01-01 11"] * 2 + ["01-02 16"]),
    "answers to a form": Column("2024/03/01 5:30:15 AM GMT+5:30 | 2024/03/02 1:00:15 PM GMT+5:30", ["03-01 00", "03-02 07:30"]),
    "answers in Spanish": Column("2024/03/01 5:30:15 a. m. GMT-5 | 2024/03/02 1:00:00 p. m. GMT-5", ["03-01 10:30", "03-02 18"]),
    "answers in Chinese": Column("2024/3/1 上午 5:30:15 | 2024/3/2 下午 1:00:00", ["03-01 05:30", "03-02 13"]),
    "JavaScript": Column("Fri Mar 01 2024 10:00:00 GMT-0500 (EST) | Sun Mar 10 2024 10:00:00 GMT-0400 (Eastern Time)",
                         ["03-01 15", "03-10 14"]),
    "days and words for missing": Column("25.03.2024 | 26.03.2024 | unknown | 27.03.2024", ["03-25", "03-26", "", "03-27"]),
    "an order that another column decides": Column("04/01/2024 | 04/02/2024", ["01-04", "02-04"], beside="25/03/2024",
                                                   said="the day is assumed to come first, as in column 'b'"),
    "an order that points decide": Column("04/01/2024 | 04/02/2024", ["01-04", "02-04"], beside="04.01.2024"),
    "an order of its own": Column("04/13/2024 | 04/02/2024", ["04-13", "04-02"], beside="25/03/2024"),
}  # fmt: skip
CALLED_DATES = ["12/13/2024 | 13/12/2024 | 25/01/2024 | 01/25/2024", "5-Tishri-5784 | 7-Adar-5784", "2024-Q1 | 2023-Q2"]


def read(column):
    """The dataset of the file, with the column's cells in both of its halves, and the findings as one text."""
    cells, sep = [f'"{cell}"' for cell in column.cells.split(" | ")], column.sep
    rows = [f'{cell}{sep}"{column.beside}"{sep}{"xy"[k % 2]}\n' for k, cell in enumerate(cells * 2)]
    raw = read_here(f"a{sep}b{sep}class\n{''.join(rows)}".encode())
    dataset = make_dataset(raw.frame, "class", findings=raw.findings)
    assert dataset.frame.equals(pd.concat([dataset.cleaning.apply(raw.frame), raw.frame["class"]], axis=1))  # as in training
    said = " ".join(f"{one} {one.advice}" for one in dataset.findings)
    assert column.said in said
    return dataset, dataset.X.iloc[: len(cells), 0].tolist(), said


@pytest.mark.parametrize("name", NUMBERS)
def test_a_column_of_numbers_is_read_as_it_is_written(name):
    _, values, _ = read(NUMBERS[name])
    if isinstance(values[0], str):
        assert values == NUMBERS[name].values
    else:
        np.testing.assert_array_equal(values, NUMBERS[name].values)


@pytest.mark.parametrize("name", DATES)
def test_a_column_of_dates_is_read_as_it_is_written(name):
    dataset, values, _ = read(DATES[name])
    moments = [dataset.cleaning.steps[0].date.moment(value).astype("datetime64[m]") for value in values]
    expected = [f"2024-{value}" if value else "NaT" for value in DATES[name].values]
    np.testing.assert_array_equal(moments, np.array(expected, "datetime64[m]"))


@pytest.mark.parametrize("cells", CALLED_DATES)
def test_dates_that_cannot_be_read_are_called_dates(cells):
    assert "Column 'a': dates that cannot be read, such as" in read(Column(cells, []))[2]
