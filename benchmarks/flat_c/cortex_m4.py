"""C for controllers on a Cortex-M4 that QEMU imitates: compiled, weighed, and run step by step from here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np

HERE = Path(__file__).parent
GCC, QEMU = "arm-none-eabi-gcc", "qemu-system-arm"
FLAGS = ("-mcpu=cortex-m4", "-mthumb", "-Os", "-std=c99", "-ffp-contract=off", "-fno-strict-aliasing")
SECTIONS = ("-ffunction-sections", "-fdata-sections")


_COUNTED = ("dadd", "dsub", "dmul", "ddiv", "dcmpeq", "dcmplt", "dcmple", "dcmpge", "dcmpgt", "dcmpun")


def missing() -> str:
    """What has to be installed; "" if all is there."""
    packages = {GCC: "gcc-arm-none-eabi libnewlib-arm-none-eabi", QEMU: "qemu-system-arm"}
    lacking = [package for command, package in packages.items() if shutil.which(command) is None]
    if not lacking and not _has_headers():
        lacking = ["libnewlib-arm-none-eabi"]
    return f"apt-get install {' '.join(lacking)}" if lacking else ""


def _has_headers() -> bool:
    done = subprocess.run(
        [GCC, "-E", "-x", "c", "-"], input="#include <string.h>", capture_output=True, text=True, check=False
    )
    return done.returncode == 0


@dataclass(frozen=True)
class Sizes:
    """Bytes: of the model's code alone, of what of the compiler's arithmetic comes with it, of constants and of RAM."""

    code: int
    constants: int
    arithmetic: int
    ram: int


def build(folder: Path, name: str, *, counted: bool = False) -> tuple[Path, Sizes]:
    """Compile `<name>.c` in a folder with the loop of `board.c`; the program, and what the model takes.

    counted: let it count what it asks of the compiler's arithmetic for doubles.
    """
    _run(GCC, *FLAGS, *SECTIONS, "-c", f"{name}.c", "-o", "model.o", folder=folder)
    for pipe in ("in", "out"):
        (folder / pipe).unlink(missing_ok=True)
        os.mkfifo(folder / pipe)
    defined = [
        f'-DMODEL_HEADER="{name}.h"',
        f"-DMODEL(x)={name}_##x",
        f'-DIN="{folder / "in"}"',
        f'-DOUT="{folder / "out"}"',
    ]
    defined += ["-DCOUNTED"] if counted else []
    _run(GCC, *FLAGS, *SECTIONS, *defined, f"-I{folder}", "-c", str(HERE / "board.c"), "-o", "board.o", folder=folder)
    linked = ("-nostartfiles", "-Wl,--gc-sections", f"-T{HERE / 'board.ld'}", "--specs=nosys.specs")
    wrapped = [f"-Wl,--wrap=__aeabi_{function}" for function in _COUNTED] if counted else []
    _run(GCC, *FLAGS, *linked, *wrapped, "board.o", "model.o", "-o", "board.elf", folder=folder)
    model, board, whole = (_sections(folder / file) for file in ("model.o", "board.o", "board.elf"))
    with_board = board[".text"] + board[".rodata"]
    rest = whole[".text"] - model[".text"] - model[".rodata"] - with_board
    return folder / "board.elf", Sizes(model[".text"], model[".rodata"], rest, board[".bss"])


def _sections(file: Path) -> dict[str, int]:
    found = {".text": 0, ".rodata": 0, ".bss": 0, ".data": 0}
    for line in _run("arm-none-eabi-size", "-A", str(file), folder=file.parent).splitlines():
        words = line.split()
        kind = next((kind for kind in found if words and words[0].startswith(kind)), None)
        if kind:
            found[kind] += int(words[1])
    return found


def _run(*command: str, folder: Path, text: str = "") -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=text, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr[:1000]}")
    return done.stdout


class Board:
    """A program of `build` that runs in QEMU. outputs: how many numbers the model gives; counted: as it was built.

    counts: of the last step, additions, multiplications, divisions and comparisons of doubles.
    """

    def __init__(self, program: Path, outputs: int, *, counted: bool = False) -> None:
        command = [
            QEMU, "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none", "-kernel", str(program),
            "-semihosting-config", "enable=on,target=native",
        ]  # fmt: skip
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self._to = (program.parent / "in").open("wb", buffering=0)
        self._from = (program.parent / "out").open("rb", buffering=0)
        self._outputs = outputs
        self._size = 8 * (outputs + 2) + (16 if counted else 0)
        self.counts = np.zeros(4, dtype=np.uint32)

    def step(self, inputs: Iterable[float]) -> tuple[np.ndarray, float, int]:
        """One call of the step function with these inputs: outputs, their time, and the status."""
        self._to.write(np.array([*inputs]).tobytes())
        answer = b""
        while len(answer) < self._size:
            part = self._from.read(self._size - len(answer))
            if not part:
                raise RuntimeError("QEMU has ended: the program failed")
            answer += part
        numbers = np.frombuffer(answer)
        if len(numbers) > self._outputs + 2:
            self.counts = numbers[self._outputs : -2].view(np.uint32)
        return numbers[: self._outputs], float(numbers[-2]), int(numbers[-1])

    def close(self) -> None:
        """End the program."""
        self._to.close()
        self._from.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Board:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
