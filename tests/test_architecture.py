"""The shape of the code: what loads when, what it never says, which libraries it needs.

Who may import whom stands in pyproject.toml under ``tool.importlinter``, and banned imports there under ``banned-api``.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests import requirements

ROOT = Path(__file__).parents[1]
OURS = ("pages", "ui", "tsk_core", "tsk_study")
APP = [ROOT / "app.py", *(path for folder in OURS for path in sorted((ROOT / folder).rglob("*.py")))]
OPTIONAL = {  # what the files of requirements-NAME.txt serve
    "study": {ROOT / "tsk_core/evaluate/ebm.py", ROOT / "tsk_study/weka/process.py"},
    "notebook": {ROOT / "tsk_core/notebook/view.py"},
    "onnx": {ROOT / "tsk_core/explain/formats/onnx.py"},
}
FILES = [*APP, *sorted((ROOT / "benchmarks").rglob("*.py"))]
TESTS = sorted(set((ROOT / "tests").rglob("*.py")) - {Path(__file__)})  # below stand examples of what is forbidden

BANNED = re.compile(
    r"\bunsafe_allow_html\b"  # text from a file would become markup
    r"|\.(query|eval)\("  # pandas would run text as code
    r"|\bpickle\b|\ballow_pickle=True|\b(torch|joblib)\.load\b"  # a file would run code
    r"|\buse_container_width\b|\bexperimental_"  # Streamlit removes them
)


WORDS = re.compile(r"unsafe_allow_html|\b(query|eval|pickle|load)\b|allow_pickle|use_container_width|experimental_")

# engine._x, get_engine()._x, engine.store._x, setattr(engine, "_x", …)
PRIVATE = re.compile(r"""\b\w*engine(\(\))?(\.\w+)*(\._|, ["']_)[a-z]""")
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "time", "time_ns"}


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of a file, which nobody changes."""
    return ast.parse(path.read_text(encoding="utf-8"))


def banned(source: str) -> bool:
    """Whether a banned word is used in it; only a file that has one anywhere is worth parsing."""
    return bool(WORDS.search(source) and BANNED.search(bare(source)))


def bare(source: str) -> str:
    """Source text without comments and without what stands in quotes, in one spelling."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.unparse(tree)


def faults(paths: Iterable[Path], find: Callable[[ast.Module], object]) -> dict[str, object]:
    """What is found in the files of these paths, by file; those in which nothing is found are left out."""
    return {str(path.relative_to(ROOT)): found for path in sorted(paths) if (found := find(parsed(path)))}


def python(code: str) -> None:
    """Run ``code`` in a fresh interpreter; it must not fail."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_parts_stay_within_their_budgets_of_files_and_lines(capsys):
    budgets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["budgets"]
    sizes = {}
    for part in budgets["parts"]:
        paths = [path for kind in ("py", "js", "ts", "css") for path in (ROOT / part).rglob(f"*.{kind}")]
        sizes[part] = {path: path.read_text("utf-8").count("\n") for path in paths}
    with capsys.disabled():
        print("", *(f"{part}: {len(lines)} files, {sum(lines.values())} lines" for part, lines in sizes.items()), sep="\n")
    assert [p for lines in sizes.values() for p, n in lines.items() if n > budgets["most_lines"] and "tests" not in p.parts] == []
    over = [
        part for part, (files, lines) in budgets["parts"].items() if len(sizes[part]) > files or sum(sizes[part].values()) > lines
    ]
    assert over == []


def test_importing_tsk_core_waits_for_no_library():
    libraries = "'torch', 'sklearn', 'pandas', 'numpy', 'dask', 'distributed', 'streamlit'"
    python(f"import sys, tsk_core, tsk_core.jobs; assert not {{{libraries}}} & set(sys.modules)")
    libraries = "'scikit_posthocs', 'matplotlib', 'scipy.stats', 'torch'"
    python(f"import sys, tsk_study.statistics; assert not {{{libraries}}} & set(sys.modules)")


@pytest.mark.slow
def test_the_core_loads_neither_pages_nor_the_cluster():
    python("""
import sys, tsk_core, tsk_core.estimators.fit_many
assert callable(tsk_core.fit_many)  # and not the module of this name
for name in tsk_core.__all__:
    getattr(tsk_core, name)
assert "torch" in sys.modules
assert not {"streamlit", "plotly", "distributed", "dask"} & set(sys.modules)
""")


def test_no_banned_word_is_used():
    assert [path for path in FILES if banned(path.read_text(encoding="utf-8"))] == []


def test_a_test_reads_no_private_attribute_of_the_engine():
    assert [path for path in TESTS if PRIVATE.search(path.read_text(encoding="utf-8"))] == []


def test_a_test_asserts_no_seconds():
    assert faults([path for path in TESTS if "time." in path.read_text(encoding="utf-8")], timed) == {}


def timed(tree: ast.AST) -> list[str]:
    """The comparisons of a clock, or of a variable that was set by one, with anything but a deadline."""

    def reads_clock(node: ast.AST) -> bool:
        return any(isinstance(n, ast.Attribute) and n.attr in CLOCKS and ast.unparse(n.value) == "time" for n in ast.walk(node))

    def names(node: ast.AST) -> set[str]:
        return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}

    measured = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and reads_clock(node.value)]
    times = {target.id for node in measured for target in node.targets if isinstance(target, ast.Name)}
    compared = [node for node in ast.walk(tree) if isinstance(node, ast.Compare) and "deadline" not in names(node)]
    return [ast.unparse(node) for node in compared if reads_clock(node) or names(node) & times]


def test_every_imported_library_stands_in_the_requirements():
    assert unnamed_imports(set(APP).difference(*OPTIONAL.values()), "requirements.txt") == set()
    for name, paths in OPTIONAL.items():
        assert unnamed_imports(paths, "requirements.txt", f"requirements-{name}.txt") == set()


distributions = cache(packages_distributions)


def unnamed_imports(paths: set[Path], *files: str) -> set[str]:
    """The libraries that these files of the app import and none of these requirements names."""
    named = set(requirements.pins(*files))
    sold_as = distributions()  # import sklearn: scikit-learn
    libraries = {name for path in paths for name in imports(path)} - sys.stdlib_module_names - {*OURS}
    return {one for one in libraries if not named & {name.lower().replace("_", "-") for name in sold_as.get(one, [])}}


def test_every_requirement_is_pinned_exactly_and_once():
    lines = requirements.lines(*requirements.FILES, "constraints.txt")
    names = [re.fullmatch(r"([a-z0-9-]+)==[0-9.]+(; .+)?", line)[1] for line in lines]
    assert sorted(names) == sorted(set(names))


def imports(path: Path) -> Iterator[str]:
    """The top-level name of every import of a file, wherever in it the import stands."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


PAGES = {path for path in APP if path.parts[len(ROOT.parts)] not in ("tsk_core", "tsk_study")}


def private_imports(tree: ast.AST) -> list[str]:
    """The imports out of tsk_core that are not public names of its packages."""
    named = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tsk_core.")]
    return [f"{node.module}.{alias.name}" for node in named for alias in node.names if not is_public(node.module, alias.name)]


def is_public(module: str, name: str) -> bool:
    """Whether the module is tsk_core's own or a package, and says that it has this name."""
    is_package = (ROOT / module.replace(".", "/") / "__init__.py").exists()
    known = import_module(module)
    return name in getattr(known, "__all__", dir(known)) and (is_package or module.count(".") == 1)


def test_pages_use_only_public_names_of_the_packages_of_the_core():
    assert faults(PAGES, private_imports) == {}


STEERING = {"stop", "pause", "step", "resume", "slow_down", "keep", "submit", "submit_task"}


def ownerless(tree: ast.AST) -> list[str]:
    """Uses of what an engine does to a run that are not called with ``owner()``."""

    def steers(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in STEERING and ast.unparse(node.value) in ("engine", "get_engine()")

    owned = set()
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        passed = [*call.args, *(keyword.value for keyword in call.keywords)]
        if "owner()" in map(ast.unparse, passed):
            owned |= {id(node) for node in ast.walk(call.func)}
    return [ast.unparse(node) for node in ast.walk(tree) if steers(node) and id(node) not in owned]


OF_NOBODY = ROOT / "ui" / "learn" / "scenes.py"  # the trainings of lessons belong to no browser, so that no visitor can stop them


def test_pages_steer_runs_in_the_name_of_their_browser():
    assert faults(PAGES - {OF_NOBODY}, ownerless) == {}


SESSION, INTERNALS, DRAWING = (ROOT / "ui" / "platform" / f"{name}.py" for name in ("session", "streamlit_internals", "drawing"))


def session_keys(tree: ast.AST) -> set[str]:
    """The names that this module declares as keys of the session, as ``VIEW = Key[str]("view")`` does."""
    calls = [node.value for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)]
    return {call.args[0].value for call in calls if ast.unparse(call.func).removeprefix("session.").startswith(("Key[", "Keys["))}


def unnamed_state(tree: ast.AST, declared: set[str]) -> list[str]:
    """Uses of the session's state, and of a widget that has a key of its own, by a string."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "session_state"]
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        keys = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
        found += [key for key in keys if isinstance(key, ast.Constant) and key.value in declared]
        if ast.unparse(call.func) == "session.widget":
            found += [key for key in call.args if isinstance(key, ast.Constant)]
    return [ast.unparse(node) for node in found]


def test_the_state_of_a_session_is_read_and_written_by_its_names():
    declared = set().union(*(session_keys(parsed(path)) for path in PAGES))
    assert {"owner", "current_run", "view"} <= declared
    assert faults(PAGES - {SESSION}, lambda tree: unnamed_state(tree, declared)) == {}


def inside_streamlit(tree: ast.AST) -> list[str]:
    """The imports from Streamlit's inside: of its modules, and of names that are modules."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.startswith("streamlit.")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "streamlit":
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def test_nothing_is_imported_from_the_inside_of_streamlit():
    assert faults(PAGES - {INTERNALS}, inside_streamlit) == {}


def streamlits_own(tree: ast.AST) -> list[str]:
    """Uses of what ``ui.platform.drawing`` has in its place, which waits for the visitor's turn."""
    attributes = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return [name for name in attributes if name in ("st.fragment", "st.dialog")]


def test_a_fragment_waits_for_its_turn():
    assert faults(PAGES - {DRAWING}, streamlits_own) == {}


def in_tree(find: Callable[..., object], *arguments: object) -> Callable[[str], object]:
    return lambda source: find(ast.parse(source), *arguments)


CASES = {  # how something is found: sources in which it is, and sources in which it is not
    "a banned word": (
        banned,
        ["st.markdown(x, unsafe_allow_html = True)", "frame.query('a > 1')", "frame[0].eval(f'{a}')", "torch.load(f)",
         "import pickle", "from pickle import loads", "joblib.load(f)", "np.load(f, allow_pickle=True)",
         "st.experimental_rerun()", "st.dataframe(x, use_container_width=True)", "f'{frame.eval(x)}'"],
        ["'''Never pickle.'''", "x = 1  # torch.load", "np.load(f, allow_pickle=False)", "a.evaluate(x)"],
    ),
    "a private attribute of the engine": (
        PRIVATE.search,
        ["engine._open", "get_engine()._dispatcher.x", "ui.platform.engine._engine", "setattr(engine, '_runs', [])"],
        ["engine.store.folder", "engine.open_runs()"],
    ),
    "asserted seconds": (
        in_tree(timed),
        ["assert time.monotonic() - began < 2", "took = time.perf_counter() - began\nassert took < 1",
         "began = time.time()\nassert 2 > time.time() - began"],
        ["assert time.monotonic() < deadline", "took = time.time() - began\nprint(took)"],
    ),
    "an import that is not public": (
        in_tree(private_imports),
        ["from tsk_core.data.gallery.paper import PAPER", "from tsk_core.data import _unknown"],
        ["from tsk_core.data import Dataset\nfrom tsk_core.config import TrainConfig"],
    ),
    "a page that steers without an owner": (
        in_tree(ownerless),
        ["get_engine().stop(run)", "st.button('Stop', on_click=get_engine().stop, args=(run, owner()))",
         "(engine.resume if paused else engine.pause)(run)", "engine.keep(run, None)"],
        ["(engine.resume if paused else engine.pause)(run, owner()); get_engine().stop(run, owner())"],
    ),
    "a string for a value of the session": (
        in_tree(unnamed_state, {"view"}),
        ["st.session_state.view", "streamlit.session_state['view'] = 1", "state = st.session_state", "st.tabs(TABS, key='view')",
         "session.widget('rules').get()"],
        ["st.tabs(TABS, key=session.VIEW.name)", "st.container(key='steering')", "session.widget(key)"],
    ),
    "an import from the inside of Streamlit": (
        in_tree(inside_streamlit),
        ["from streamlit.runtime import exists", "import streamlit.proto.BackMsg_pb2", "from streamlit import runtime"],
        ["import streamlit as st\nfrom ui.platform.streamlit_internals import runtime"],
    ),
    "a fragment that does not wait": (
        in_tree(streamlits_own),
        ["@st.fragment\ndef draw(): pass", "st.fragment(draw, run_every=1)()", "st.dialog('Data')(draw)"],
        ["@fragment\ndef draw(): pass", "fragment(draw, run_every=1)()", "dialog('Data')(draw)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_what_is_forbidden_is_found_and_nothing_else(kind):
    find, forbidden, allowed = CASES[kind]
    assert [source for source in forbidden if not find(source)] == [source for source in allowed if find(source)] == []
