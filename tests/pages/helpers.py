"""Opening the app without a browser, pressing its buttons, waiting for its runs, and reading what it says."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import context
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

import tsk_core
from tests.trained import put_into, run_id
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.jobs import Engine
from tsk_core.settings import SETTINGS
from ui.live.subjects import parts_of, spec_of, subject_of
from ui.platform.engine import close_engine, get_engine
from ui.platform.streamlit_internals import REPLACED
from ui.runs.run_view import RunView

ROOT = Path(tsk_core.__file__).parents[1]
ADDRESS = "http://localhost:8501"
WIDGETS = ("number_input", "selectbox", "checkbox")
SAYING = ("title", "header", "subheader", "markdown", "caption", "info", "success", "warning", "error")
LINK_KEYS = {setting.key for setting in SETTINGS.values() if setting.key} | {"test"}
# AppTest reads the metadata of all installed packages whenever an app is opened, which takes longer than the page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
STREAMLITS_OWN = [(owner, name, vars(owner)[name]) for owner, name, _ in REPLACED]
IMAGE, FORMULA, ADDRESS_NAME = "<img src=x onerror=alert(1)>", "$x$", "[x](javascript:alert(1))"


class _Navigated(PagesManager):
    """AppTest forgets before each run that pages are run through app.py: here it forgets it of this class."""


@contextmanager
def page_engine(folder: Path) -> Iterator[Engine]:
    """The engine of the pages in this process, with one worker and its runs in ``folder``, where the trained ones are already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # as the server is started: it takes its settings and styles from there
        patch.setenv("TSK_RUNS_DIR", str(put_into(folder)))
        patch.setenv("TSK_WORKERS", "1")
        for change in REPLACED:  # as on the server
            patch.setattr(*change)
        patch.setattr(PagesManager, "uses_pages_directory", False)  # as app.py leaves it when the server starts
        patch.setattr(app_test, "PagesManager", _Navigated)
        # A mock of a browser has a mock of each cookie and of its address; making them takes longer than asking a browser.
        patch.setattr(context, "_get_client_context", lambda: None)
        compiled = ScriptCache()  # of all pages, as the server has it; AppTest's own lasts one run
        patch.setattr(local_script_runner, "ScriptCache", lambda: compiled)
        yield get_engine()
        close_engine()


def open_page(*, page="explore", owner="", **link):
    """A page as opened by a link with these values, drawn once. page: its file in ``pages``. owner: whose session it is."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.context["url"] = ADDRESS
    if owner:
        app.session_state["owner"] = owner
    if page != "explore":
        app.switch_page(f"pages/{page}.py")
    app.query_params.update(link)
    return app.run()


def open_run(name, tab="", **options):
    """A page that shows a trained run of ``tests/trained.py``. tab: opened, too. options: as of ``open_page``."""
    app = open_page(run=run_id(name), **options)
    if tab:
        look_at(app, tab)
    return app


def drawn_alone(function, **link):
    """What ``function`` draws by itself under a link with these values, and what becomes of the link."""
    app = AppTest.from_function(function, default_timeout=60)
    app.query_params.update(link)
    assert not app.run().exception
    return app


def button(app, label):
    (found,) = (b for b in app.button if b.label == label)
    return found


def labels(app):
    """The labels of all buttons, as their reader sees them."""
    return [as_text(one.label) for one in app.button]


def captions(app):
    return [as_text(one.value) for one in app.caption]


def box(app, label):
    """The list of this label."""
    (found,) = (one for kind in ("selectbox", "multiselect") for one in getattr(app, kind) if one.label == label)
    return found


def full_link(app):
    """What a press on the button gives to the browser to copy."""
    button(app, "Copy full link").click().run()
    (part,) = (part.proto for part in app.get("bidi_component") if part.key == "copied")
    return json.loads(part.json)


def metric(app, label):
    """The value of a tile; its label may go on, as "Accuracy, by validation" does."""
    (found,) = (m.value for m in app.metric if m.label.partition(",")[0] == label)
    return found


def run_of(app):
    """The id of the run on the page."""
    run = app.query_params["run"]
    return run[0] if isinstance(run, list) else run


def progress(app):
    """The sentence above the progress bar; the browser draws it while the run has not ended."""
    if bars := app.get("progress"):
        (found,) = bars
        return as_text(found.proto.text)
    return standing(app)["text"]


def standing(app, key="watch"):
    """Where something stands that has not ended, as the browser draws it: "share", "text", maybe "lines" and a "table"."""
    return next(part["payload"] for part in last_parts(app, key) if part["kind"] == "standing")


def newest_epoch(app):
    """The number of the newest epoch that the browser has of the run; 0 before the first."""
    epochs = last_message(app)["shown"].get("epochs", {"list": ()})["list"]
    return epochs[-1]["epoch"] if epochs else 0


def run_until(app, true, seconds=120):
    """Draw the page every now and then until ``true`` holds; fails after ``seconds``.

    Not without a pause: drawing takes a processor from the worker that the page waits for.
    """
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)
        app.run()
    return app


def wait_for_end(app):
    """Draw the page after the end of its run; it is not drawn meanwhile, which would take longer than most runs."""
    if "run" in app.query_params:
        for _ in get_engine().follow(run_of(app)):
            pass
        app.run()
    return run_until(app, lambda: not button(app, "Train").disabled)


def train(app):
    """Press Train and wait for the end of the run."""
    button(app, "Train").click().run()
    return wait_for_end(app)


@contextmanager
def busy_worker():
    """The only worker has a long run meanwhile, so whatever is started waits."""
    engine = get_engine()
    wait_until(lambda: engine.workers() and not engine.open_runs())
    run = engine.submit(TrainConfig(n_rules=20, max_epochs=2000, batch_size=2), load_dataset("breast_cancer"))
    try:
        wait_until(lambda: engine.status(run).state == "running")
        yield run
    finally:
        engine.stop(run)


def upload(app, name, content):
    return app.file_uploader(key="file").set_value((name, content, "text/csv")).run()


def markup(app):
    """Everything on the page that Streamlit reads as Markdown and that can hold words from data."""
    said = [str(element.value) for kind in SAYING for element in getattr(app, kind)]
    said += [block.label for kind in ("expander", "tabs") for block in getattr(app, kind)]
    return said + [bar.proto.text for bar in app.get("progress")]


def said(app):
    """Everything that the page says, as its reader sees it."""
    return " ".join(map(as_text, markup(app)))


def paragraphs(app):
    """Each piece of Markdown on the page, as its reader sees it."""
    return [as_text(one.value) for one in app.markdown]


def as_text(markdown):
    """What a reader sees of escaped text; U+2060 takes no room, and keeps addresses from becoming links."""
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u2060", "")


def box_mark(app, name):
    """What stands behind the title of a box of the sidebar; "" where nothing does."""
    pattern = re.compile(f'-box_{name} .* content: "(.*)";')
    marks = [found[1] for part in app.get("html") if (found := pattern.search(part.proto.body))]
    assert len(marks) <= 1
    return "".join(marks)


def open_tab(app, name):
    """Open a tab of the data panel, which draws the table of an open tab alone."""
    app.session_state["data_view"] = name
    return app.run()


def look_at(app, tab):
    """Open one of the tabs below the scores."""
    if "view" in app.session_state and app.session_state["view"] != tab:
        app.session_state["view"] = tab
        app.run()


def rules(app):
    """The rules at the end that fire, as sentences, as they are sent to the browser; opens their tab."""
    look_at(app, "Rules")
    (end,) = (base for base in last_message(app.run())["shown"]["ruleBases"]["list"] if base["end"])
    return [f"Rule {r['rule']}: IF {' AND '.join(r['if']) or 'anything'} THEN {r['then']}" for r in end["rules"] if not r["dead"]]


def last_parts(app, key="watch"):
    """What a browser has that shows the page: what the page said, and all of what it then follows; see ``ui/live``."""
    told = watched(app, key)
    return [*told["parts"], *parts_of(told["tickets"])]


def subject(app, what, key="watch"):
    """A new object of the first subject of this kind that the page follows."""
    specs = (spec_of(ticket, None) for ticket in watched(app, key)["tickets"])
    return subject_of(next(spec for spec in specs if json.loads(spec)["what"] == what))


def watched(app, key="watch"):
    """What the page said to its browser: "tickets", "parts", and the states "drawn"."""
    (element,) = (part.proto for part in app.get("bidi_component") if part.key == key)
    return json.loads(element.json)


def outdated(app):
    """What a browser would have the page drawn again for: its state is another one than the page was drawn with."""
    told = [json.loads(part.proto.json) for part in app.get("bidi_component") if part.proto.json]
    drawn = {of: state for one in told for of, state in one.get("drawn", {}).items()}
    parts = parts_of(ticket for one in told for ticket in one.get("tickets", ()))
    return [part["of"] for part in parts if part["kind"] == "state" and drawn.get(part["of"], part["payload"]) != part["payload"]]


def last_message(app):
    """The same of Explore: the runs "shown" and "comparison", or None; each has "about", and its lists by their kinds."""
    parts = last_parts(app)
    (ids,) = (part["payload"] for part in parts if part["kind"] == "runs")
    return {name: ids[name] and _parts_of(parts, ids[name]) for name in ("shown", "comparison")}


def _parts_of(parts, run):
    found = {"run": run}
    for part in parts:
        if part.get("of") == run:
            found[part["kind"]] = part["payload"]
    found["about"] |= found["pair"]
    return found


def values(app):
    """``{key: value}`` of all settings on the page, without the decisions about its data and the pace, which is no setting."""
    return {w.key: w.value for kind in WIDGETS for w in getattr(app, kind) if ":" not in w.key and w.key != "pace"}


def pace(app):
    """The epochs a second that slow training shows; None where it is off."""
    (widget,) = [w for kind in WIDGETS for w in getattr(app, kind) if w.key == "pace"]
    return widget.value


def ended_run(engine, dataset, **settings):
    """A run as a page shows it, trained to its end."""
    run = engine.submit(TrainConfig(**{"n_rules": 4, "max_epochs": 20, "random_state": 0} | settings), dataset)
    for _ in engine.follow(run):
        pass
    return _view(engine, run, engine.result(run, timeout=60))


def trained_run(engine, name):
    """A run of ``tests/trained.py`` as a page shows it."""
    return _view(engine, run_id(name), engine.result(run_id(name)))


def _view(engine, run, result):
    return RunView(run, result.config, result.dataset, 0.3, engine.status(run), history=engine.history(run), result=result)
