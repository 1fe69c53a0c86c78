"""Frames that are new, repeated, late or lost, and autopilots that start again."""

from __future__ import annotations

import pytest

from blocks.live.ardupilot.sequence import (
    HELD_UP,
    IGNORED,
    NEW,
    PATIENCE,
    REPEATED,
    RESTART,
    SILENCE,
    Sender,
    Sequence,
)

ONE, OTHER = ("127.0.0.1", 40000), ("127.0.0.1", 40001)


class Judge:
    """A sequence in which every frame that is not ignored is answered at once."""

    def __init__(self) -> None:
        self.sequence, self.now = Sequence(), 0.0

    def __call__(self, count: int, sender: Sender = ONE, after: float = 0.001) -> str:
        self.now += after
        verdict = self.sequence.judge(count, sender, self.now)
        if verdict != IGNORED:
            self.sequence.answered(self.now)
        return verdict


@pytest.fixture
def judge() -> Judge:
    return Judge()


def test_one_after_the_other(judge: Judge) -> None:
    assert [judge(count) for count in range(5)] == [NEW] * 5
    assert str(judge.sequence.traffic) == "5 frames"


def test_a_frame_that_comes_twice_is_answered_only_if_its_answer_may_be_lost(judge: Judge) -> None:
    """ArduPilot asks again after a second; a packet that a network doubles is there at once."""
    judge(0)
    judge(1)
    assert judge(1) == IGNORED
    assert judge(1, after=PATIENCE) == REPEATED
    assert judge(1) == IGNORED
    assert judge(2) == NEW
    assert judge.sequence.traffic.repeated == 3


def test_skipped_numbers_are_counted(judge: Judge) -> None:
    judge(0)
    assert judge(4) == NEW
    assert judge.sequence.traffic.lost == 3


def test_a_late_packet_is_dropped(judge: Judge) -> None:
    for count in range(10):
        judge(count)
    assert judge(7) == IGNORED
    assert judge(10) == NEW
    assert judge(7) == IGNORED
    assert (judge.sequence.traffic.late, judge.sequence.traffic.restarts) == (2, 0)


def test_an_autopilot_that_starts_again_is_believed(judge: Judge) -> None:
    for count in range(10):
        judge(count)
    assert judge(0, OTHER) == RESTART  # a new process has a new port
    assert judge(1, OTHER) == NEW
    assert judge(2, ONE) == IGNORED  # the old one
    assert judge.sequence.traffic.strangers == 1


def test_one_that_has_the_same_port_has_to_insist(judge: Judge) -> None:
    """Its first packet may be one of before that was held up; it comes again if it is not."""
    for count in range(10):
        judge(count)
    assert judge(0) == IGNORED
    assert judge(0, after=1.0) == RESTART


def test_far_back_there_is_no_doubt(judge: Judge) -> None:
    for count in range(HELD_UP + 2):
        judge(count)
    assert judge(0) == RESTART


def test_the_first_number_may_be_any(judge: Judge) -> None:
    """Where the physics has started again, ArduPilot goes on counting."""
    assert judge(4711) == NEW
    assert judge(4712) == NEW
    assert judge.sequence.traffic.lost == 0


@pytest.mark.parametrize(("count", "wanted"), [(11, NEW), (3, RESTART)])
def test_after_a_silence_another_sender_is_heard(judge: Judge, count: int, wanted: str) -> None:
    for number in range(10):
        judge(number)
    assert judge(count, OTHER) == IGNORED
    assert judge(count, OTHER, after=SILENCE) == wanted
    assert judge.sequence.sender == OTHER
