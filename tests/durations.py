"""Where the seconds of the suite are: ``python -m tests.durations FILE.xml…``, from pytest's ``--junitxml``.

Prints the sum of seconds by folder and the ten slowest files, of tests and their fixtures, so that growth is seen.
"""

import argparse
from collections import Counter
from xml.etree import ElementTree

SLOWEST = 10


def durations(files: list[str]) -> Counter[str]:
    """Seconds by test file."""
    found = Counter[str]()
    for file in files:
        for case in ElementTree.parse(file).iter("testcase"):
            parts = case.get("classname", "").split(".")
            found["/".join(part for part in parts if part[:1].islower())] += float(case.get("time", 0))
    return found


def main(files: list[str]) -> None:
    """Print the table."""
    by_file, by_folder = durations(files), Counter[str]()
    for name, seconds in by_file.items():
        by_folder[name.rpartition("/")[0].partition("/")[2].partition("/")[0] or "tests"] += seconds
    print(f"Seconds of tests by folder ({sum(by_file.values()):.0f} in all):")
    print("  " + ", ".join(f"{name} {seconds:.0f}" for name, seconds in by_folder.most_common()))
    print("The slowest files:")
    for name, seconds in by_file.most_common(SLOWEST):
        print(f"  {seconds:6.1f}  {name}.py")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.durations", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE.xml", help="of pytest's --junitxml")
    main(parser.parse_args().files)
