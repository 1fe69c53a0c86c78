"""Messages into an MCAP file: what a result and a run that goes on have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.live.messages import Publication, definition, stamp_of_nanoseconds
from blocks.live.messages.cdr import Packer
from blocks.live.messages.definitions import full_name

Array = NDArray[np.float64]

_EARLY = 1e-6
"""Of a period: a message is due that much early, where rounding alone keeps it from its time."""


class BagError(KeelblocksError):
    """A log of ROS 2 cannot be written or read, or does not have what is wanted of it."""


class LogWriter:
    """Writes messages of these topics to a stream, in chunks with an index, as rosbag 2 does with MCAP.

    about: what is said of the run in a record of metadata called "keelblocks". Times of messages are simulated, s, plus
    `epoch`, whole seconds that keep them from being negative.
    Raises BagError if the package mcap is not installed.
    """

    def __init__(
        self, stream: IO[bytes], publications: Iterable[Publication], about: Mapping[str, str], epoch: int = 0
    ) -> None:
        self._writer = mcap_writer().Writer(stream)
        self._writer.start(profile="ros2", library=f"keelblocks {about.get('version', '')}".strip())
        self._writer.add_metadata("keelblocks", {**about, "epoch": str(epoch)})
        self._offset = epoch * 1_000_000_000
        self.channels = [Channel(each, number) for number, each in enumerate(publications, start=1)]
        schemas: dict[str, int] = {}
        for channel in self.channels:
            kind = channel.publication.type
            if kind not in schemas:
                text = definition(kind).encode()
                schemas[kind] = self._writer.register_schema(full_name(kind), "ros2msg", text)
            self._writer.register_channel(channel.publication.topic, "cdr", schemas[kind])

    def write(self, channels: Iterable[Channel], times: Array, read: Callable[[str], Array]) -> None:
        """Messages of points in time, s, that follow those before; `read` gives the values of a signal at all of them.

        They are written in the order of time.
        """
        due = []
        for place, channel in enumerate(channels):
            rows = channel.due(times)
            if len(rows):
                nanoseconds = np.rint(times[rows] * 1e9).astype(np.int64) + self._offset
                due.append((rows, place, channel, nanoseconds, channel.records(rows, nanoseconds, read)))
        if not due:
            return
        rows_of = np.concatenate([rows for rows, *_ in due])
        which = np.concatenate([np.full(len(rows), number) for number, (rows, *_) in enumerate(due)])
        taken = [iter(zip(nanoseconds.tolist(), records, strict=True)) for *_, nanoseconds, records in due]
        numbers = [channel.number for _, _, channel, _, _ in due]
        add = self._writer.add_message
        for number in which[np.argsort(rows_of, kind="stable")].tolist():
            time, data = next(taken[number])
            add(numbers[number], time, data, time)

    def finish(self) -> None:
        """Write the index, without which a file can be read only from its beginning on."""
        self._writer.finish()


class Channel:
    """A topic of the file, and when its next message is due."""

    def __init__(self, publication: Publication, number: int) -> None:
        self.publication, self.number = publication, number
        self._packer = Packer(publication.type)
        self._first = math.nan
        self._turn = -1

    def due(self, times: Array) -> NDArray[np.intp]:
        """The points in time at which there is a message: each, or the first ones of each period."""
        period = self.publication.period
        if not period or not len(times):
            return np.arange(len(times))
        if math.isnan(self._first):
            self._first = float(times[0])
        turns = np.floor((times - self._first) / period + _EARLY).astype(np.int64)
        rows = np.flatnonzero(np.diff(turns, prepend=self._turn) > 0)
        self._turn = int(turns[-1])
        return rows

    def records(
        self, rows: NDArray[np.intp], nanoseconds: NDArray[np.int64], read: Callable[[str], Array]
    ) -> list[bytes]:
        """The bytes of the messages at these points."""
        content = self.publication.message(lambda name: read(name)[rows], stamp_of_nanoseconds(nanoseconds))
        return self._packer.pack_each(content, len(rows))


def mcap_writer() -> Any:
    """The module of the package mcap that writes. Raises BagError, which says how to get it."""
    try:
        import mcap.writer
    except ImportError:
        raise BagError("MCAP needs the package mcap: pip install 'keelblocks[mcap]'") from None
    return mcap.writer


def epoch_of(start: float) -> int:
    """Whole seconds that are added to times of a run that starts there: files know no times below 0."""
    return max(0, math.ceil(-start))
