"""Many presses of download buttons hold nobody else up, and do not fill the memory; what was made can be fetched."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from ui.platform.streamlit_internals import BackendOperationRequest
from ui.platform.web import sessions
from ui.platform.web.sessions import MOST, Downloads


class Server:
    """Streamlit's own manager of files, as a runtime has it, and sessions by name: each has an address and no cookie."""

    def __init__(self):
        self.storage = MemoryMediaFileStorage("/media")
        self.files = MediaFileManager(self.storage)
        self.answers = Downloads(lambda: self.files)

    def get_client(self, session):
        return SimpleNamespace(client_context=SimpleNamespace(cookies={}, remote_ip=session.partition(" ")[0]))

    def button(self, make, name="report.html"):
        """A button that a script drew."""
        return self.files.add_deferred(make, "text/html", "1.2", name)

    async def press(self, button, session):
        request = BackendOperationRequest(request_id="1")
        request.deferred_file.file_id = button
        return await self.answers.handle(request, session)

    def scripts_end(self, n):
        """As sessions do when their scripts have ended."""
        for _ in range(n):
            self.files.clear_session_refs("somebody else")
            self.files.remove_orphaned_files()

    def kept(self):
        return sum(stat.byte_length for stats in self.storage.get_stats().values() for stat in stats)

    async def kept_after_a_while(self):
        for _ in range(1000):
            if not self.kept():
                break
            await asyncio.sleep(0.01)
        return self.kept()

    def content(self, answer):
        assert not answer.error_msg
        file = self.files.read_file(answer.deferred_file.url.rsplit("/", 1)[1])
        return file and file.content


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    return server


def test_a_visitor_with_many_pages_does_not_hold_up_another_address_nor_the_threads_of_the_event_loop(server):
    order, gate, threads = [], threading.Event(), set()

    def file_of(name):
        def make():
            gate.wait()
            threads.add(threading.current_thread().name)
            order.append(name)
            return name.encode()

        return server.button(make, name)

    async def presses():
        many = [asyncio.create_task(server.press(file_of(f"many {n}"), f"10.0.0.1 {n}")) for n in range(40)]
        await asyncio.sleep(0)
        one = asyncio.create_task(server.press(file_of("one"), "10.0.0.2 0"))
        await asyncio.sleep(0)
        assert await asyncio.to_thread(lambda: "free") == "free"
        gate.set()
        return await asyncio.gather(one, *many)

    answers = asyncio.run(presses())
    assert server.content(answers[0]) == b"one"
    assert order.index("one") <= 2
    assert len(threads) == 1


def test_a_session_waits_for_few_files_at_once_and_is_told_so(server):
    gate = threading.Event()

    def make():
        gate.wait()
        return b"a report"

    async def presses():
        waiting = [asyncio.create_task(server.press(server.button(make), "10.0.0.1 0")) for _ in range(MOST)]
        await asyncio.sleep(0)
        refused = await server.press(server.button(make), "10.0.0.1 0")
        gate.set()
        return refused, await asyncio.gather(*waiting), await server.press(server.button(make), "10.0.0.1 0")

    refused, waited, later = asyncio.run(presses())
    assert "press again" in refused.error_msg
    assert [server.content(answer) for answer in (*waited, later)] == [b"a report"] * (MOST + 1)


def test_forty_presses_one_after_the_other_do_not_keep_forty_files(server):
    made = []

    def make():
        made.append(len(made).to_bytes(4) * 250_000)
        return made[-1]

    async def presses():
        for _ in range(40):
            await server.press(server.button(make), "10.0.0.1 0")
            await asyncio.sleep(0)
            assert server.kept() <= (MOST + 1) * len(made[0])

    asyncio.run(presses())
    assert len(made) == 40


def test_a_file_waits_for_its_browser_while_others_scripts_end_and_goes_after_a_while(server, monkeypatch):
    async def presses():
        answer = await server.press(server.button(lambda: b"a report"), "10.0.0.1 0")
        server.scripts_end(5)
        assert server.content(answer) == b"a report"
        return await server.kept_after_a_while()

    monkeypatch.setattr(sessions, "SECONDS", 0.05)
    assert asyncio.run(presses()) == 0


def test_what_was_made_for_a_browser_that_has_gone_is_not_kept_for_ever(server, monkeypatch):
    begun, gate = threading.Event(), threading.Event()

    def make():
        begun.set()
        gate.wait()
        return b"a report"

    async def leave():
        press = asyncio.create_task(server.press(server.button(make), "10.0.0.1 0"))
        await asyncio.to_thread(begun.wait)
        press.cancel()
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await press
        await server.press(server.button(lambda: b"another"), "10.0.0.1 0")  # made after it
        return await server.kept_after_a_while()

    monkeypatch.setattr(sessions, "SECONDS", 0.05)
    assert asyncio.run(leave()) == 0


def test_a_file_that_cannot_be_made_has_an_answer_too(server):
    async def press():
        return await server.press(server.button(lambda: 1 / 0), "10.0.0.1 0"), await server.press("no such button", "10.0.0.1 0")

    assert [answer.error_msg for answer in asyncio.run(press())] == ["The file could not be made."] * 2
