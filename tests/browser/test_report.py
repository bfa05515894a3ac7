"""A report opened from a disk with no network at all, and figures saved from it."""

import re
import socket
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import grave
from tests.chromium import PATIENCE
from tests.pages.helpers import ended_run
from tsk_core.data import load_dataset, read_csv
from ui.charts import CHARTS
from ui.report.run_report import report

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = (
    "</script><script>alert(1)</script>", "<b>bold</b>", "x" * 60, "\"double\" & 'single' `back`", "🦄 <!-- é %{x} $y$",
)  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"
INK = "ink => getComputedStyle(document.querySelector('.tsk-view-loss .ytitle')).fill === ink"


def ugly():
    """A table whose names would do harm wherever they are taken for more than text."""
    cell = '"{}"'.format
    rows = [f"{k % 5 + k / 200:.3f},{cell(NAMES[k % 5].replace(chr(34), chr(34) * 2))}" for k in range(150)]
    return read_csv("\n".join(["<img src=x onerror=alert(2)>,kind", *rows]).encode())


@pytest.fixture(scope="module")
def files(engine, tmp_path_factory):
    """Reports of two runs on Iris and of one on a table with hostile names."""
    folder, iris = tmp_path_factory.mktemp("reports"), load_dataset("iris")
    runs = {"iris": (ended_run(engine, iris, ur_weight=10), ended_run(engine, iris)), "ugly": (ended_run(engine, ugly()), None)}
    for name, (shown, ghost) in runs.items():
        path = folder / f"{name}.html"
        link, with_rows = f"http://127.0.0.1:9/?run={shown.id}", name == "iris"
        path.write_bytes(report(shown, ghost, link, 4, datetime.now(UTC), with_rows=with_rows))
    return folder


@pytest.fixture
def read(browser, files):
    """A function that opens a report as a reader of its own; nothing but the file may be asked for, and nothing go wrong."""
    readers, asked, trouble = [], [], []

    def only_files(route):
        asked.append(route.request.url)
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            route.abort()

    def read(name, **options):
        reader = browser.new_context(**options)
        reader.set_default_timeout(PATIENCE)
        readers.append(reader)
        reader.route("**/*", only_files)
        reader.on("console", lambda message: trouble.append(message.text) if message.type in ("error", "warning") else None)
        reader.on("weberror", lambda error: trouble.append(str(error.error)))
        reader.on("dialog", lambda dialog: (trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page = reader.new_page()
        page.goto((files / f"{name}.html").as_uri())
        expect(page.locator(".tsk-chart .main-svg").first).to_be_visible()
        return page

    yield read
    for reader in readers:
        reader.close()
    assert not trouble
    assert all(re.fullmatch(r"file:///.*/\w+\.html", address) for address in asked) and len(asked) == len(readers)


def saved(page, press):
    """Name and content of the file that comes of this."""
    with page.expect_download() as download:
        press()
    return download.value.suggested_filename, download.value.path().read_bytes()


def svg_of(page, view):
    name, content = saved(page, page.locator(f".tsk-view-{view}").get_by_role("button", name="Save this figure as SVG").click)
    return name, ElementTree.fromstring(content)


def words_of(svg):
    return " ".join("".join(text.itertext()) for text in svg.iter(f"{SVG}text"))


def colours(page):
    """The page behind, and the ink of a chart's title."""
    return page.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor,
                  getComputedStyle(document.querySelector(".tsk-view-loss .ytitle")).fill]"""
    )


def test_a_report_draws_all_its_charts_from_a_disk_and_its_slider_moves_them_with_their_captions(read):
    page = read("iris")
    charts = page.locator(".tsk-chart")
    assert charts.count() >= len(CHARTS)
    for chart in charts.all():
        expect(chart.locator(":is(.main-svg, canvas)").first).to_be_attached()
        expect(chart).to_have_accessible_name(re.compile(r"\w+ \w+"))
    epoch, firing = page.locator(".tsk-epoch"), page.locator(".tsk-view-firing .tsk-caption")
    expect(epoch).to_have_text("epoch 20 of 20")
    expect(firing).to_contain_text("Epoch 20,")
    page.get_by_label("Selected epoch").press("ArrowLeft")
    expect(epoch).to_have_text("epoch 19 of 20")
    firing.scroll_into_view_if_needed()
    expect(firing).to_contain_text("Epoch 19,")
    bars = page.locator(".tsk-view-firing .bars path").first
    before = bars.get_attribute("d")
    page.get_by_label("Selected epoch").press("Home")
    expect(firing).to_contain_text("Epoch 1,")
    expect(bars).not_to_have_attribute("d", before)
    page.get_by_role("button", name="Replay training").click()
    expect(epoch).to_have_text("epoch 20 of 20")


def test_hostile_names_stay_text_on_the_page_and_in_each_figure_and_without_rows_it_begins_with_a_typical_one(read):
    page = read("ugly", viewport={"width": 390, "height": 844})
    page.wait_for_function("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for name in NAMES:
        expect(page.locator(".classes li").filter(has_text=name)).to_have_text(name)
    page.locator(".tsk-view-confusion").scroll_into_view_if_needed()
    expect(page.locator(".tsk-view-confusion .ytick").filter(has_text="<b>bold</b>")).to_have_count(1)
    expect(page.locator("body img, body b:not(.tsk-named b), main script")).to_have_count(0)
    expect(page.locator(".rules li").first).to_contain_text("<img src=x onerror=alert(2)>")
    words = words_of(svg_of(page, "confusion")[1])
    assert "<b>bold</b>" in words and "</script>" in words
    page.locator("#samples").scroll_into_view_if_needed()
    expect(page.locator(".tsk-head")).to_contain_text("No row is selected. For a typical row")
    page.get_by_role("slider", name="<img src=x onerror=alert(2)>", exact=True).press("Home")
    expect(page.locator(".tsk-changed")).to_contain_text("With <img src=x onerror=alert(2)> ")


def test_a_row_of_a_report_is_selected_changed_and_explained(read):
    page = read("iris")
    head, changed = page.locator(".tsk-head"), page.locator(".tsk-changed")
    page.locator("#samples").scroll_into_view_if_needed()
    expect(page.locator(".tsk-view-plane canvas").first).to_be_visible()
    page.get_by_role("spinbutton", name="Row", exact=True).fill("1")
    page.get_by_role("spinbutton", name="Row", exact=True).press("Enter")
    expect(head).to_contain_text("true class setosa; the model predicts setosa with probability")
    expect(page.locator(".tsk-if")).to_contain_text(re.compile(r"Rule \d fires most.*: IF .* THEN "))
    page.get_by_role("slider", name="petal length (cm)", exact=True).press("End")
    page.get_by_role("slider", name="petal width (cm)", exact=True).press("End")
    expect(changed).to_contain_text("the prediction changes from setosa to virginica.")
    page.get_by_role("button", name="Undo changes").click()
    expect(changed).to_be_empty()


def test_the_file_itself_forbids_connections_and_other_scripts(browser, files):
    with socket.create_server(("127.0.0.1", 0)) as outside, closing(browser.new_context()) as reader:
        page = reader.new_page()
        page.goto((files / "iris.html").as_uri())
        refused = page.evaluate(
            """async (address) => {
                const seen = [];
                document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
                await fetch(address).catch(() => null);
                const script = document.createElement("script");
                script.textContent = "window.ran = true";
                document.body.append(script);
                const picture = new Image();
                picture.src = address;
                await new Promise((done) => { picture.onerror = done; });
                return [seen.sort(), window.ran ?? false];
            }""",
            f"http://127.0.0.1:{outside.getsockname()[1]}/x.png",
        )
        assert refused == [["connect-src", "img-src", "script-src-elem"], False]
        outside.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody called
            outside.accept()


def test_a_worker_that_stands_in_the_file_colours_the_plane(browser, files):
    with closing(browser.new_context()) as reader:
        page = reader.new_page()
        with page.expect_event("worker") as started:
            page.goto((files / "iris.html").as_uri())
        assert started.value.url.startswith("blob:")
        page.locator("#samples").scroll_into_view_if_needed()
        page.wait_for_function(
            """() => {
              const canvas = document.querySelector(".tsk-view-plane canvas");
              return canvas?.width && canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] > 0;
            }"""
        )


LIGHT, DARK = ["rgb(255, 255, 255)", "rgb(38, 39, 48)"], ["rgb(14, 17, 23)", "rgb(230, 230, 230)"]


def test_a_report_is_light_or_dark_as_its_reader_likes(read):
    page = read("iris", color_scheme="light")
    for scheme, ground, ink in (("light", *LIGHT), ("dark", *DARK)):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(INK, arg=ink)
        assert colours(page) == [ground, ink]
        assert grave(page, "color-contrast") == []


def test_a_report_is_printed_on_white_as_wide_as_paper(read):
    page = read("iris", color_scheme="dark", viewport={"width": 1400, "height": 900})
    assert colours(page) == DARK
    page.evaluate("""() => addEventListener("beforeprint", async () => {
        await null; await null;  // the charts are drawn by then, and no frame comes before the picture is taken
        const drawn = document.querySelectorAll(".tsk-chart :is(.main-svg:first-child, canvas)");
        const widths = [...drawn].map((one) => one.clientWidth);
        const ink = getComputedStyle(document.querySelector(".tsk-view-loss .ytitle")).fill;
        window.printed = [Math.max(...widths), widths.length, ink];
    })""")
    assert page.pdf(format="A4").startswith(b"%PDF")
    width, count, ink = page.evaluate("window.printed")
    assert width <= 680 and count >= len(CHARTS) and ink == "rgb(38, 39, 48)"
    page.wait_for_function(INK, arg=DARK[1])


def test_a_figure_is_saved_for_print_with_the_lines_and_the_part_that_its_reader_chose(read):
    page = read("iris", color_scheme="dark")
    name, whole = svg_of(page, "loss")
    assert re.fullmatch(r"run-[0-9a-f]{8}-loss\.svg", name)
    assert (whole.get("width"), whole.get("height")) == ("1000", "600")
    assert "Training loss by component" in words_of(whole) and "cross-entropy" in words_of(whole)
    text = ElementTree.tostring(whole, "unicode")
    assert "rgb(255, 255, 255)" in text and "rgb(38, 39, 48)" in text and "rgb(230, 230, 230)" not in text
    page.evaluate("""() => {
      const chart = document.querySelector(".tsk-view-loss .tsk-chart");
      const line = chart.data.findIndex((trace) => trace.name === "α·L2");
      return Plotly.update(chart, { visible: "legendonly" }, { "xaxis.range": [5, 10] }, [line]);
    }""")
    _, part = svg_of(page, "loss")
    lines = [len([path for path in svg.iter(f"{SVG}path") if path.get("class") == "js-line"]) for svg in (whole, part)]
    assert lines[1] == lines[0] - 1
    assert re.search(r"\b20\b", words_of(whole)) and not re.search(r"\b20\b", words_of(part))


def test_a_figure_is_saved_by_the_keyboard_as_a_picture_of_its_epoch(read):
    page = read("iris")
    page.get_by_label("Selected epoch").press("Home")
    expect(page.locator(".tsk-epoch")).to_have_text("epoch 1 of 20")
    press = page.locator(".tsk-view-entropy").get_by_role("button", name="Save this figure as PNG")
    press.focus()
    name, content = saved(page, lambda: page.keyboard.press("Enter"))
    assert re.fullmatch(r"run-[0-9a-f]{8}-entropy-epoch-1\.png", name)
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(content[at : at + 4], "big") for at in (16, 20)] == [2000, 1200]
