"""The order of the frames that arrive: which is new, which came before, and when the autopilot has started again.

In lockstep ArduPilot sends the next frame when it has the answer to the last one, and the same again after a second
without one. So a number is one more than the last, or the same; anything else is a packet that was held up on its way,
an autopilot that counts from the beginning, or somebody else.
"""

from __future__ import annotations

from dataclasses import dataclass

NEW, REPEATED, RESTART, IGNORED = "new", "repeated", "restart", "ignored"
"""What a frame is; REPEATED: to be answered once more."""

Sender = tuple[str, int]

PATIENCE = 0.5
"""Time from an answer within which the same frame again is a packet that came twice, s; ArduPilot waits for 1 s."""
SILENCE = 5.0
"""Time after which another autopilot may take the place of one that is not heard of, s."""
HELD_UP = 100
"""How many frames back a packet may be that was held up; further back, the autopilot has started again."""


@dataclass
class Traffic:
    """What has arrived, by kind: numbers of packets."""

    frames: int = 0
    """New frames that were answered."""
    repeated: int = 0
    """Frames that came again: answered again, without the simulation going on, if the answer may have been lost."""
    late: int = 0
    """Frames from before the last one, which are dropped."""
    lost: int = 0
    """Numbers that were skipped."""
    malformed: int = 0
    """Packets that are none of ArduPilot's."""
    strangers: int = 0
    """Packets of another sender while the autopilot is heard."""
    restarts: int = 0
    """Times that the autopilot has started again."""

    def __str__(self) -> str:
        others = ", ".join(f"{count} {name}" for name, count in list(vars(self).items())[1:] if count)
        return f"{self.frames} frames" + (f" ({others})" if others else "")


class Sequence:
    """Judges frames by number, sender and time, and counts them in `traffic`."""

    def __init__(self) -> None:
        self.traffic = Traffic()
        self.sender: Sender | None = None
        self._last = -1
        self._suspect = -1
        self._heard = self._answered = float("-inf")

    def judge(self, count: int, sender: Sender, now: float) -> str:
        """What a frame of this number is."""
        if sender != self.sender:
            return self._newcomer(count, sender, now)
        self._heard = now
        ahead = count - self._last
        if ahead == 1:
            return self._new(count)
        if ahead == 0:
            self.traffic.repeated += 1
            return REPEATED if now - self._answered >= PATIENCE else IGNORED
        if ahead > 1:
            self.traffic.lost += ahead - 1
            return self._new(count)
        if ahead >= -HELD_UP and count != self._suspect:
            self._suspect = count  # one that insists has no answer and waits for it
            self.traffic.late += 1
            return IGNORED
        return self._restart(count)

    def answered(self, now: float) -> None:
        """An answer has left."""
        self._answered = now

    def _newcomer(self, count: int, sender: Sender, now: float) -> str:
        """A sender that is new: the first, one that has started again, or one that goes on after a silence."""
        first = self.sender is None
        if not first and count != 0 and now - self._heard < SILENCE:
            self.traffic.strangers += 1
            return IGNORED
        going_on = first or count > self._last
        self.sender, self._heard = sender, now
        return self._new(count) if going_on else self._restart(count)

    def _new(self, count: int) -> str:
        self._last, self._suspect = count, -1
        self.traffic.frames += 1
        return NEW

    def _restart(self, count: int) -> str:
        self.traffic.restarts += 1
        self._new(count)
        return RESTART
