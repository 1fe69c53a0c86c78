"""The command `keelblocks`, ready for Ctrl-C before it imports anything: what it needs takes a second to load.

Exit codes: 0 done; 2 bad input, or a run that had to stop; 130 interrupted; 1 a fault of Keelblocks itself, or of
`diff` and `compare` that the two differ, of `test` that something failed.
"""

import gc
import os
import signal
from types import FrameType

_SAID, _CODE = b"Error: interrupted\n", 130


def main() -> None:
    """Run the command. A request to terminate is heard like Ctrl-C, so that what was recorded is kept."""
    gc.set_threshold(100_000, 20, 20)  # modules make many objects and few cycles: a tenth of the time of loading them
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as in the background, and under nohup
            signal.signal(number, _leave)
    from blocks.cli.commands import cli
    from blocks.cli.interrupts import hear

    hear()
    cli.main(prog_name="keelblocks")


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once: while modules load there is nothing to keep, and what an interrupt breaks says so at length."""
    os.write(2, _SAID)
    os._exit(_CODE)
