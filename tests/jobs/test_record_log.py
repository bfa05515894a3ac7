"""The records that a run has reported, as somebody asks for them again and again."""

import json

from tests.client.messages import make_epoch
from tsk_core.jobs.open_run import RecordLog
from tsk_core.live.series import EPOCHS


def test_who_asks_for_what_is_new_gets_each_record_once():
    log, lines = RecordLog(), [json.dumps(make_epoch(k).to_dict()) for k in (1, 2, 3)]
    for line in lines[:2]:
        log.add(EPOCHS, line, {})
    assert [one.epoch for one in log.get(EPOCHS)] == [1, 2] and log.get(EPOCHS, since=2) == []
    log.add(EPOCHS, lines[2], {})
    assert [one.epoch for one in log.get(EPOCHS, since=2)] == [3] and log.count(EPOCHS) == 3


def test_the_lines_are_those_that_were_written():
    log, lines = RecordLog(), [json.dumps(make_epoch(k).to_dict()) for k in (1, 2, 3)]
    for line in lines:
        log.add(EPOCHS, line, {})
    assert log.lines(EPOCHS) == lines and log.lines(EPOCHS, since=2) == lines[2:] and log.lines(EPOCHS, since=3) == []
    assert log.lines("snapshots") == []
