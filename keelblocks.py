"""The command `keelblocks`, ready for Ctrl-C before it imports anything: what it needs takes a second to load."""

import os
import signal
from types import FrameType

_SAID, _CODE = b"Error: interrupted\n", 130


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once: while modules load there is nothing to keep, and what an interrupt breaks says so at length."""
    os.write(2, _SAID)
    os._exit(_CODE)


def main() -> None:
    """The entry point."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    from blocks.cli import main as command

    command()


if __name__ == "__main__":
    main()
