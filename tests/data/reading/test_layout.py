"""Everything around a text's rows: comments, titles, separators too many, spaces, quotation marks, and lines that do not fit."""

import pytest

from tests.data.reading.cases import Case, check, check_refusal

ABC = ["a", "b", "class"]
ROWS = "1,5,x\n2,6,y\n3,7,x\n4,8,y\n"
EMPTY = "Left out a column without a name and without cells."
SURVEY = "id,height,weight,class\n1,170,60,x\n2,180,70,y\n3,175,65,x\n"
MISPLACED = " a misplaced quotation mark."
NAMES = "a,b,class\n"
AROUND = {  # what is said of the lines that are left out -> texts with the same four rows
    "between the names and the data": [f"{NAMES}{lines}\n{ROWS}" for lines in (
        "s,N,none", "[s],[m/s],", "c,d,d\n,,class", "BIGINT,FLOAT,VARCHAR(9)", "5s,6n,10s", "Dauer,Kraft heute,Zustand", "1,2,3",
        '"How long, in days?",How many?,Which?\n"{""ImportId"":1}","{""ImportId"":2}","{""ImportId"":3}"', "--,--,--")],
    "above the table": [f"{lines}\n{NAMES}{ROWS}" for lines in (
        "0,1,2", "V1,V2,V3", "A,B,C", "Unnamed: 0,Unnamed: 1,Unnamed: 2", "Made by RainBox,version 4.1\n", "Box,Ulm,2024",
        "Made by RainBox,version 4.1", "Box,in Ulm,by Kim\n", "a line, with, many, cells", "At:,Ulm\nHeight:,478\nBy:,DWD",
        "".join(f"{k}:,{'x' if k in 'prt' else 7}\n" for k in "pqrstuvw"), "At:,Ulm,\nHeight:,478,\n,,")],
    "that repeat the names": [f"{NAMES}s,N,none\n{ROWS}".replace("3,7", again + "\n3,7") for again in (
        "a,b,class\ns,N,none", '"a","b","class"\nS,N,none', "A, B,Class\ns , N,none")],
    "below the table, line": [f"{NAMES}{ROWS}{lines}\n" for lines in (
        "Last updated: 12/02/2024", "\nRainBox,Ulm", ",,\nFuente: INE,,", "* provisional", "(4 rows affected)",
        "----\nfree of charge", "\nSource: A, B, C, D")],
}  # fmt: skip
CASES = {
    **{f"{said} {text!r}": Case(text, ABC, {"a": [1, 2, 3, 4], "b": [5, 6, 7, 8], "class": ["x", "y", "x", "y"]}, said=[said])
       for said, texts in AROUND.items() for text in texts},
    "types of categories": Case("hair\tkind\nd\td\n\tclass\n" + "yes\tcat\nno\tdog\n" * 3, ["hair", "kind"], rows=6),
    **{f"data that begins {text[:28]!r}": Case(text, rows=text.count("\n") - 1, unsaid=["Left out"]) for text in (
        f"{NAMES}unknown,unknown,x\n{ROWS}", f"{NAMES},,z\n{ROWS}", f"{NAMES}late,5,x\n{ROWS}", f"{NAMES}1,2,3\n4,5,6\n",
        "grade,part\nA,B\nC,D\nC,D\nC,D\n", f"{NAMES}1,5,x\n2,,\n", "name,a,b\nBob,1,2\nAda Byron,,\n")},
    # Preambles of 8 lines above 4 rows; the years of a bank; separators at the end.
    "a station": Case("".join(f"{name}:;{name.lower()}\n" for name in ("UF", "TEIL", "ORT", "A", "B", "C", "D"))
                      + "ALT:;1002,5\nDatum;Temp;Art;\n" + "01/02/2023;18,5;nass;\n02/02/2023;24,1;warm;\n" * 2,
                      ["Datum", "Temp", "Art"], {"Temp": [18.5, 24.1] * 2}, said=["Left out 8 lines above"], target="Art"),
    "a bank": Case('"Source","Indicators",\n\n"Updated","2024-05-30",\n\n"Country","Group","1960","1961",\n'
                   + '"A","rich","1","2",\n"B","poor","3","4",\n' * 2, ["Country", "Group", "1960", "1961"], rows=4),
    # Transposed.
    **{f"transposed {text[:20]!r}": Case(text, names, {names[0]: first}, rows=len(first), said=["transposed"], target=names[-1])
       for text, names, first in (
           ("id,p,q,r,s\nage,23,45,36,51\nsex,m,f,f,m\nclass,yes,no,yes,no\n", ["id", "age", "sex", "class"], list("pqrs")),
           ("Alter;2,5;4;3;5\nGüte;gut;arm;gut;arm\nKlasse;ja;nein;ja;nein\n", ["Alter", "Güte", "Klasse"], [2.5, 4, 3, 5]),
           ("g,1,,3,4\nh,.5,.7,.6,.9\ntype,AML,ALL,AML,ALL\n", ["g", "h", "type"], [1, None, 3, 4]))},
    "as many numbers as words": Case("a,b,c,d\nx,1,2,3\ny,5,6,7\nx,8,9,9\nx,2,2,2\n", list("abcd"), rows=4),
    # Comments.
    **{f"comments with {sign}": Case(f"{sign} made, in 2020\n{sign} twice\na,b,class\n1,5,x\n{sign} a, b, c\n2,6,y\n",
                                     ABC, {"a": [1, 2]}, options={"comment": sign},
                                     said=[f"Left out 3 comment lines that begin with {sign}."]) for sign in "#%"},
    "a comment is told by its width": Case("a,b\n#1,5\n# only one cell\n#2,6\n", cells={"a": ["#1", "#2"]},
                                           said=["1 comment line that begins with #"]),
    "a comment character that is given": Case("a,b\n#1,5\n2,6\n3,7\n", cells={"b": [6, 7]}, given={"comment": "#"}),
    "no comment character": Case("a,b\n#1,5\n2,6\n3,7\n", cells={"b": [5, 6, 7]}, given={"comment": ""}),
    "names in a comment": Case("# saved today\n# a,b,c\n1,2,3\n4,5,6\n", list("abc"), rows=2, said=["1 comment line"]),
    **{f"a name {name}": Case(f"{name},b,class\n#1,5,x\n#2,6,y\n", [name, "b", "class"], rows=2, unsaid=["comment"])
       for name in ("#", "#id")},
    "each line begins with #": Case("#1,5\n#2,6\n#3,6\n", unsaid=["comment"]),
    # Titles.
    **{f"title {title!r}": Case(f"{title}a,b,class\n{ROWS}", ABC, rows=4, said=["above the table: 'Report"])
       for title in ("Report 2024\n\n", "Report 2024,,\n,,\n", "Report\nby us\n", "\n\nReport,,\n")},
    **{f"title {title!r}": Case(title + SURVEY, ["id", "height", "weight", "class"], rows=3)
       for title in ("Survey of 2024,Institute X\n", "Survey,2024,,\n", "Survey\npatient,,laboratory,\n")},
    **{f"names that lack two above {below!r}": Case(f"id,height,,\n{below}\n2,180,70,y\n", rows=rows,
                                                    names=["id", "height", "column 3", "column 4"])
       for below, rows in (("1,170,60,x", 2), ("a,b,c,d\na,b,c,e", 3), ("a,b,,d", 2), ("a,b,b,d", 2))},
    "missing cells below names": Case("a,b,class\n,,x\n1,2,y\n", ABC, rows=2),
    "missing cells below numbers": Case("1,2,3\n,,5\n1,2,4\n", rows=3),
    # Separators at the end of rows.
    **{f"separators at the end of {text!r}": Case(text, ["a", "b"], {"a": [1, 3], "b": [2, 4]}, said=[said]) for text, said in (
        ("a,b,\n1,2,\n3,4,\n", EMPTY), ("a,b\n1,2,\n3,4,\n", ""), ("a,b,\n1,2\n3,4\n", ""),
        ("a,b\n1,2\n3,4,\n", "1 row ends with a separator"), ("a,b,,\n1,2,,\n3,4,,\n", "Left out 2 columns without a name"))},
    "separators at the end and no header": Case("1,2,\n3,4,\n", ["column 1", "column 2"], rows=2),
    "a header one name short": Case('"a","b"\n"r1",1,2\n"r2",3,4\n', cells={"a": [1, 3]}, said=["read as row names"]),
    # Spaces.
    "what R writes": Case('"x1" "x2" "class"\n"r0" 0.5 1 "a"\n"r1" 1.5 2 "b b"\n"r2" 2.5 3 "a"\n',
                          cells={"x1": [0.5, 1.5, 2.5], "class": ["a", "b b", "a"]}),
    "names of people": Case("name\nAda Byron\nAlan Turing\nGrace Hopper\n", ["name"], rows=3),
    "sentences": Case("good day\nbad day\nno\n", cells={0: ["bad day", "no"]}, rows=2),
    "a space after each separator": Case('a, b, class\n1, NA, x\n2, 6, "y, z"\n', ABC, {"b": [None, 6], "class": ["x", "y, z"]}),
    "a space before a missing value": Case("a, b, class\n1, ?, x\n2, 6, y\n", ABC, {"b": [None, 6], "class": ["x", "y"]}),
    "a space before a few quotation marks": Case('a,b,class\n1,5,x\n2,6,"y"\n3,7,  "x, z"\n "4",8,y\n', ABC,
                                                 {"class": ["x", "y", "x, z", "y"], "a": [1, 2, 3, 4]}),
    "runs of spaces": Case("5.1   3  a\n 4 2 b\n3  1 a\n", cells={0: [5.1, 4, 3], 2: ["a", "b", "a"]},
                           said=["separated by spaces"]),
    "several tabs": Case("a\t\tb\tc\n1\t2\t\tx y\n3\t4\tz\n\n5\t\t6\tz\n", list("abc"), {"a": [1, 3, 5], "c": ["x y", "z", "z"]},
                         options={"delimiter": "\t"}, said=["3 lines have runs of tabs between the cells."]),
    "runs of tabs and numbers alone": Case("1\t2\t\t3\n4\t5\t6\n7\t8\t9\n", cells={2: [3, 6, 9]}),
    "empty cells between tabs": Case("a\tb\tc\n1\t\tx\n\t4\tz\n", cells={"a": [1, None], "b": [None, 4]}, unsaid=["runs"]),
    "spaces, and a tab before a name": Case('18.0   8\t"maker a"\n 9.5   ?\t"maker b"\n7     6\t"maker a"\n',
                                            cells={0: [18, 9.5, 7], 1: [8, None, 6], 2: ["maker a", "maker b", "maker a"]}),
    "several words between tabs": Case("city\tn\twhen\nRio\t1 234\t2024-01-05 10:30\nNew York\t2 345\t2024-01-06 11:30\n"
                                       "La Paz\t1 111\t2024-01-07 12:30\n", ["city", "n", "when"], rows=3, unsaid=["runs"]),
    "lines of spaces": Case("a,b\n1,2\n   \n3,4\n  ", cells={"a": [1, 3]}),
    # Quotation marks.
    "apostrophes": Case("a,b\n'x, y',1\n'z',2\n", cells={"a": ["x, y", "z"]}, options={"quote": "'"}),
    "a closing mark that makes two rows one": Case('n,k,s\n1,a,"foo\n2,b,"bar"\n3,a,baz\n4,b,x\n',
        said=["The row that begins in line 2 spans several lines and has" + MISPLACED]),
    "five of them": Case("n,s\n" + '1,"foo\n2,"bar"\n3,x\n' * 5,
        said=["Rows that begin in lines 2, 5 and 8 (and 2 more) span several lines and have" + MISPLACED]),
    "a quoted cell of two lines": Case('n,s\n1,"foo, or\n""bar"", he said"\n2,x\n3,"a ""b"""\n', unsaid=[MISPLACED]),
    "a line break of another kind inside a cell": Case('"one";"two"\n"xx";"x\rx"\n"xx";"x; ""x"\n', cells={1: ["x\rx", 'x; "x']}),
    "inches": Case('n,s\n1,5" pipe\n2,"6"" pipe"\n3,"7" pipe\n', unsaid=[MISPLACED]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_stands_around_the_rows_is_recognised(name):
    check(CASES[name])


COMPLETE, QUOTE = (
    "; complete or delete ",
    "; put cells that contain commas in quotation marks, or delete what is none of its rows.",
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("a,b\n1,2\n3\n", f"Line 3 has 1 cell where the header has 2 names{COMPLETE}it."),
     ("a,b\n1,2\n3\n1,2,3\n", f"Lines 3 and 4 have 1 and 3 cells where the header has 2 names{QUOTE}"),
     ("a,b\n1,2\n3\n4\n5\n6\n7\n", f"Lines 3, 4 and 5 (and 2 more) have 1 cells where the header has 2 names{COMPLETE}them."),
     ("# x\n\na,b\n\n1,2\n1,2,3\n", f"Line 6 has 3 cells where the header has 2 names{QUOTE}"),
     ('a,b\n"1\n\n1",2\n1,2,3\n', f"Line 5 has 3 cells where the header has 2 names{QUOTE}"),
     ("1,2\n3,4\n5\n", f"Line 3 has 1 cell where the first row has 2{COMPLETE}it."),
     ("k,a,b\nx,1,2\ny,3,4\nx", f"Line 4 has 1 cell where the header has 3 names{COMPLETE}it.")],  # cut off: no footnote
)  # fmt: skip
def test_ragged_lines_are_named(text, sentence):
    check_refusal(text, sentence)
