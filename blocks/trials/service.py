"""What runs in the process in which blocks are tried: kernels of others may crash it, or never return."""

from __future__ import annotations

from pathlib import Path

from blocks.block import Block
from blocks.child.serving import Answer, serve
from blocks.errors import KeelblocksError
from blocks.libraries.opening import open_library
from blocks.packages import reason
from blocks.trials.errors import TrialError
from blocks.trials.naming import blocks_of
from blocks.trials.registry import TRIALS

CODE = "from blocks.trials.service import main; main()"


def main() -> None:
    """Answer until the pipe closes."""
    blocks: dict[str, type[Block]] = {}

    def load(given: str, folder: str) -> Answer:
        blocks.update(blocks_of(given, Path(folder)).blocks)
        for name in sorted({cls.library for cls in blocks.values() if cls.library and cls.kernel}):
            open_library(name)  # one that is not built fails every trial of it
        return "", ()

    def attempt(block: str, trial: str) -> Answer:
        try:
            TRIALS[trial].check(blocks[block])
        except KeelblocksError:
            raise
        except Exception as problem:  # whatever a block of others raises
            raise TrialError(f"{block}: {reason(problem)}") from problem
        return "", ()

    methods = {"load": load, "attempt": attempt}
    serve(lambda method, *arguments: methods[method](*arguments), KeelblocksError)
