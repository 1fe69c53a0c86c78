"""Compile the runtime part by part, link the parts in order, and find them again in the library, whatever its format.

Nothing of Keelblocks is imported here but its neighbours, because the build uses this file before anything is
installed.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cython_kernels.plain_c.compilers import BuildError

MARKER = "keelblocks section {};"
"""The text at the start of a section, see `section.h`."""

_UNCHANGED = 0.65  # of an object's bytes, at least, after linking: 0.7 to 0.9 is usual, 0.1 for two that differ


@dataclass(frozen=True)
class Toolchain:
    """A compiler with its options, for a platform, and the folder that its objects are kept in."""

    command: Sequence[str]
    platform: str
    objects: Path

    def compile(
        self, units: Mapping[str, Mapping[str, str]], further: Mapping[str, Sequence[str]] | None = None
    ) -> dict[str, Path]:
        """The objects of units, by name. A unit is a file to compile and those that it includes, with their texts.

        Some have `further` options, by name. What was compiled before is taken as it is; what is no longer needed goes.
        Raises BuildError if the compiler refuses one.
        """
        self.objects.mkdir(parents=True, exist_ok=True)
        options = [(further or {}).get(name, ()) for name in units]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            made = dict(zip(units, threads.map(self._object, units, units.values(), options), strict=True))
        for old in {*self.objects.iterdir()} - {*made.values()}:
            old.unlink()
        return made

    def link(self, objects: Sequence[Path], library: str, options: Sequence[str]) -> bytes:
        """The library of these objects, in this order. Raises BuildError if that fails."""
        with tempfile.TemporaryDirectory(dir=self.objects.parent) as scratch:
            names = [f"{number:03}.o" for number in range(len(objects))]  # zig orders them by name for darwin
            for name, path in zip(names, objects, strict=True):
                Path(scratch, name).write_bytes(path.read_bytes())
            self._run([*names, "-o", library, *options], scratch)
            return Path(scratch, library).read_bytes()

    def _object(self, name: str, files: Mapping[str, str], options: Sequence[str]) -> Path:
        everything = "\0".join([*self.command, *options, name, *files, *files.values()])
        path = self.objects / f"{name}-{hashlib.sha256(everything.encode()).hexdigest()[:16]}.o"
        if not path.exists():
            # in a folder of its own, with a bare name: zig writes the name into the file, and other files beside it
            with tempfile.TemporaryDirectory(dir=self.objects.parent) as scratch:
                for file, text in files.items():
                    Path(scratch, file).write_text(text, encoding="utf-8")
                self._run([*options, "-c", next(iter(files)), "-o", "made.o"], scratch)
                Path(scratch, "made.o").replace(path)
        return path

    def _run(self, arguments: Sequence[str], folder: str) -> None:
        done = subprocess.run([*self.command, *arguments], cwd=folder, stdout=sys.stderr, check=False)
        if done.returncode:
            raise BuildError(
                f"compiling the FMU runtime for {self.platform} failed, see above: {' '.join(self.command)}"
            )


def section_starts(library: bytes, objects: Mapping[str, bytes]) -> dict[str, int]:
    """Where the sections of a library start, in the order in which their objects were linked; the last is their end.

    Empty if the linker has put them in another order, or other code among them: then nothing can be left out.
    """
    markers = {name: MARKER.format(name).encode() for name in objects}
    if any(library.count(marker) != 1 for marker in markers.values()):
        return {}
    starts = {name: library.index(marker) for name, marker in markers.items()}
    for (name, start), end in zip(starts.items(), [*starts.values()][1:], strict=False):
        own = objects[name][objects[name].index(markers[name]) :]
        unchanged = sum(a == b for a, b in zip(library[start:end], own, strict=False))
        if end <= start or unchanged < _UNCHANGED * (end - start):
            return {}
    return starts
