"""Forty presses of a download button at once do not fill the memory with forty files."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from ui.platform.downloads import when_pressed


class Files:
    """Streamlit's own manager of files, as a runtime has it."""

    def __init__(self):
        self.storage = MemoryMediaFileStorage("/media")
        self.media_file_mgr = MediaFileManager(self.storage)

    def kept(self):
        return sum(stat.byte_length for stats in self.storage.get_stats().values() for stat in stats)


@pytest.fixture
def files(monkeypatch):
    server = Files()
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    return server


def test_files_of_earlier_presses_are_gone(files):
    made, at_once, most = [], threading.Semaphore(1), []

    def report():
        assert at_once.acquire(blocking=False), "two files are made at the same time"
        made.append(len(made).to_bytes(4) * 250_000)
        at_once.release()
        return made[-1]

    button = files.media_file_mgr.add_deferred(when_pressed(report), "text/html", "1.2", "report.html")

    def press(_):
        files.media_file_mgr.execute_deferred(button)
        most.append(files.kept())

    visitors = 8
    with ThreadPoolExecutor(visitors) as pool:
        list(pool.map(press, range(40)))
    assert len(made) == 40
    assert max(most) <= visitors * len(made[0]), "one file a visitor at most"


def test_the_last_file_can_be_fetched(files):
    button = files.media_file_mgr.add_deferred(when_pressed(lambda: b"a report"), "text/html", "1.2", "report.html")
    address = files.media_file_mgr.execute_deferred(button)
    assert files.storage.get_file(address.rsplit("/", 1)[1]).content == b"a report"
