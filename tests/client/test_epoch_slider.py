"""The epoch slider, with a clock that stands still until the test moves it."""

import pytest

from tests.client.conftest import own_tab
from tests.client.messages import make_history, make_shown, message_of

pytestmark = pytest.mark.browser

NAMES = ["Replay training", "Previous epoch", "Next epoch", "Newest epoch"]


class Bar:
    """A page with one bar, or more, and what its visitor does with it."""

    def __init__(self, client):
        self.client, self.page = client, client.open().page
        client.run("globalThis.store = await import('/client/core/store.js');")
        self.mount()

    def mount(self, times=1):
        for _ in range(times):
            self.client.run("""
                const { mount } = await import("/client/client.js");
                const parent = document.createElement("section");
                document.getElementById("place").append(parent);
                const end = mount(parent, { views: ["epochs"] });
                globalThis.leave = () => { end(); parent.remove(); };""")

    def receive(self, *runs):
        self.client.run("store.receive(given[0]);", message_of(*runs))
        self.wait(20)

    def wait(self, milliseconds):
        self.page.clock.run_for(milliseconds)

    def press(self, name, place=0):
        self.page.get_by_role("button", name=name, exact=True).nth(place).click()
        self.wait(20)

    def choose(self, words):
        self.page.get_by_role("combobox", name="Speed").first.select_option(label=words)

    @property
    def slider(self):
        return self.page.get_by_role("slider", name="Selected epoch").first

    @property
    def plays(self):
        return self.page.get_by_role("button", name="Pause replay", exact=True).count() > 0

    @property
    def epoch(self):
        return self.client.run("return store.state().epoch?.epoch ?? null;")

    @property
    def future(self):
        return self.client.run("return store.state().future;")


@pytest.fixture(scope="module")
def tab(browser, address):
    """Its own, since the clock of the others goes on."""
    with own_tab(browser, address) as tab:
        yield tab


@pytest.fixture(scope="module")
def clock(client):
    client.page.clock.install(time=0)
    client.page.clock.pause_at(1)


@pytest.fixture
def bar(client, clock):
    return Bar(client)


def run(epochs, name="now", ended=False, revisited=False):
    shown = make_shown(make_history(epochs), name, metrics={} if ended else None)
    shown.revisited = revisited
    return shown


def test_steps_and_the_slider_look_at_one_epoch(bar):
    bar.receive(run(9))
    assert bar.epoch == 9
    bar.press("Previous epoch")
    bar.press("Previous epoch")
    assert bar.epoch == 7
    bar.receive(run(12))
    assert bar.epoch == 7  # it stays there while others come in
    assert bar.slider.get_attribute("aria-valuetext") == "epoch 7 of 12"
    bar.press("Next epoch")
    assert bar.epoch == 8
    bar.slider.fill("0")
    bar.press("Previous epoch")
    assert bar.epoch == 1
    bar.press("Newest epoch")
    bar.receive(run(15))
    assert bar.epoch == 15
    for go in (lambda: bar.press("Next epoch"), lambda: bar.slider.fill(bar.slider.get_attribute("max"))):
        bar.press("Previous epoch")
        go()  # from the last epoch on, the newest is followed
        bar.receive(run(bar.epoch + 5))
        assert bar.slider.get_attribute("aria-valuetext") == f"epoch {bar.epoch} of {bar.epoch}"


def test_the_keyboard_does_all_that_a_mouse_does(bar):
    bar.receive(run(9, ended=True))
    bar.slider.focus()
    for key, epoch in (("Home", 1), ("ArrowRight", 2), ("End", 9), ("ArrowLeft", 8)):
        bar.page.keyboard.press(key)
        assert bar.epoch == epoch
    bar.page.get_by_role("button", name="Replay training").focus()
    bar.page.keyboard.press("Enter")
    bar.wait(20)
    assert bar.plays
    bar.page.keyboard.press("Space")
    bar.wait(20)
    assert not bar.plays


@pytest.mark.parametrize(("words", "pace"), [("5 epochs/s, slow motion", 5), ("100 epochs/s", 100)])
def test_it_plays_from_the_first_epoch_at_the_pace_that_is_chosen(bar, words, pace):
    bar.receive(run(1000, ended=True))
    bar.choose(words)
    bar.press("Replay training")
    assert bar.plays and bar.epoch <= 4 and not bar.future
    before = bar.epoch
    bar.client.run("for (let k = 0; k < 8; k++) document.querySelector('.tsk-play').click();")  # in a row, and no faster by that
    bar.wait(2000)
    assert bar.epoch - before == pytest.approx(2 * pace, abs=2)
    bar.press("Pause replay")
    held = bar.epoch
    bar.wait(2000)
    assert (bar.epoch, bar.plays, bar.future) == (held, False, True)
    bar.press("Replay training")  # it goes on from there
    bar.wait(1000)
    assert bar.epoch - held == pytest.approx(pace, abs=4)
    at = bar.epoch
    bar.press("Previous epoch")
    assert not bar.plays and bar.epoch == pytest.approx(at - 1, abs=1)


def test_at_the_newest_epoch_of_a_run_that_trains_it_waits_for_more(bar):
    bar.receive(run(10))
    bar.press("Replay training")
    bar.wait(2000)
    assert (bar.epoch, bar.plays) == (10, True)
    bar.receive(run(100))
    bar.wait(1000)
    assert bar.epoch == pytest.approx(30, abs=2)  # epoch by epoch, and not in one leap
    bar.receive(run(100, ended=True))
    bar.wait(5000)
    assert (bar.epoch, bar.plays, bar.future) == (100, False, True)


def test_another_run_is_not_played_on(bar):
    bar.receive(run(100, "before", ended=True))
    bar.press("Replay training")
    bar.wait(1000)
    bar.receive(run(0), run(100, "before", ended=True))
    bar.wait(1000)
    assert not bar.plays and bar.future
    bar.receive(run(50), run(100, "before", ended=True))
    assert bar.epoch == 50


def test_a_page_without_the_bar_does_not_play(bar):
    bar.receive(run(1000))
    bar.press("Replay training")
    bar.wait(500)
    bar.client.run("leave();")
    bar.wait(20)
    at = bar.epoch
    bar.client.run("""
        const real = requestAnimationFrame;
        globalThis.frames = 0;
        globalThis.requestAnimationFrame = (draw) => { globalThis.frames += 1; return real(draw); };""")
    bar.wait(2000)
    assert (bar.epoch, bar.client.run("return globalThis.frames;")) == (at, 0)
    bar.mount()  # back on the page
    bar.wait(20)
    assert not bar.plays and bar.future
    bar.press("Replay training")
    bar.wait(1000)
    assert bar.epoch - at == pytest.approx(20, abs=3)


def test_a_long_break_is_not_made_up_for(bar):
    bar.receive(run(1000, ended=True))
    bar.press("Replay training")
    at = bar.epoch
    bar.page.clock.fast_forward(60_000)  # a hidden window gets no frames
    bar.wait(50)
    assert bar.plays and bar.epoch <= at + 10


def test_slow_motion_shows_a_new_run_from_its_first_epoch(bar):
    bar.receive(run(10, "old"))
    bar.choose("5 epochs/s, slow motion")
    bar.wait(500)
    assert (bar.epoch, bar.plays) == (10, False)  # not the one that is there
    bar.receive(run(200, "new"), run(10, "old"))
    bar.wait(20)
    assert bar.plays and bar.epoch <= 2
    bar.wait(2000)
    assert bar.epoch == pytest.approx(11, abs=2)
    bar.receive(run(200, "older", revisited=True))
    bar.wait(1000)
    assert (bar.epoch, bar.plays) == (200, False)  # one that is only looked at again


def test_two_bars_say_the_same(bar):
    bar.mount()
    bar.receive(run(100, ended=True))
    bar.choose("100 epochs/s")
    bar.wait(20)
    bar.press("Replay training", place=1)
    assert bar.page.get_by_role("button", name="Pause replay", exact=True).count() == 2
    bar.wait(300)
    sliders = bar.page.get_by_role("slider", name="Selected epoch")
    assert sliders.nth(0).input_value() == sliders.nth(1).input_value() != "0"
    speeds = bar.page.get_by_role("combobox", name="Speed")
    assert [speeds.nth(k).input_value() for k in range(2)] == ["100", "100"]
    bar.press("Pause replay", place=0)
    assert bar.page.get_by_role("button", name="Pause replay", exact=True).count() == 0
