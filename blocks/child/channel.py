"""Messages through a pipe, to and from a child process.

Requests are pickled: they come from this side, which is trusted. Replies are not, because native code that has run
wild may write anything: a reply is a code, a text and bytes.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from typing import IO, Any

_REQUEST = struct.Struct("<Q")
_REPLY = struct.Struct("<4sBQQ")
_MAGIC = b"KBfm"
_PIECE = 1 << 20
MOST_TEXT, MOST_CONTENT = 1 << 28, 1 << 36
"""Bytes of a reply; what says that it has more is no reply."""
DONE, FAILED, BROKEN = 0, 1, 2
"""Codes of replies: it was done; what was asked for cannot be; the child itself failed."""


class Closed(Exception):
    """The other side is gone, or writes what is no message."""


def send_request(pipe: IO[bytes], method: str, *arguments: Any) -> None:
    """Ask for a call."""
    data = pickle.dumps((method, arguments))
    pipe.write(_REQUEST.pack(len(data)) + data)
    pipe.flush()


def receive_request(pipe: IO[bytes]) -> tuple[str, tuple[Any, ...]]:
    """Wait for a request. Raises Closed."""
    (size,) = _REQUEST.unpack(_exactly(pipe, _REQUEST.size))
    method, arguments = pickle.loads(_exactly(pipe, size))
    return method, arguments


def send_reply(pipe: IO[bytes], code: int, text: str = "", parts: Sequence[bytes | memoryview] = ()) -> None:
    """Answer a request; the content is all parts, one after the other."""
    data = text.encode("utf-8", "replace")
    pipe.write(_REPLY.pack(_MAGIC, code, len(data), sum(map(len, parts))) + data)
    for part in parts:
        pipe.write(part)
    pipe.flush()


def receive_reply(pipe: IO[bytes]) -> tuple[int, str, bytearray]:
    """Wait for a reply. Raises Closed."""
    magic, code, length, size = _REPLY.unpack(_exactly(pipe, _REPLY.size))
    if magic != _MAGIC or length > MOST_TEXT or size > MOST_CONTENT:
        raise Closed
    return code, _exactly(pipe, length).decode("utf-8", "replace"), _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytearray:
    """So many bytes; memory is taken for those that come, not for those that are announced."""
    data = bytearray()
    while len(data) < size:
        piece = pipe.read(min(_PIECE, size - len(data)))
        if not piece:
            raise Closed
        data += piece
    return data
