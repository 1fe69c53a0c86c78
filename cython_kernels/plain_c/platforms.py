"""The platforms that C is built for, runtimes of FMUs and libraries: what FMI calls them, and what the compiler.

Nothing of Keelblocks is imported here: the build uses this file before anything is installed.
"""

import platform as machine_platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass

ALL = "all"
"""Asks for every platform of the table."""


@dataclass(frozen=True)
class Platform:
    """A processor and a system.

    name: FMI 3.0's name, and that of the folder in an FMU; fmi2: FMI 2.0's. FMI 2.0 has no name for linux on arm64,
    which has FMI 3.0's there too, and one for both processors of darwin: its library holds code for each.
    suffix: how shared libraries end. target: what zig compiles for; with it the oldest C library or system on which
    the result runs; empty for a platform that only its own compiler builds for.
    """

    name: str
    fmi2: str
    suffix: str
    target: str = ""

    def folder(self, fmi: str) -> str:
        """The folder in an FMU of this version of FMI, below `binaries`."""
        return self.fmi2 if fmi.startswith("2.") else self.name


PLATFORMS = (
    Platform("x86_64-linux", "linux64", ".so", "x86_64-linux-gnu.2.17"),
    Platform("aarch64-linux", "aarch64-linux", ".so", "aarch64-linux-gnu.2.17"),
    Platform("x86_64-windows", "win64", ".dll", "x86_64-windows-gnu"),
    Platform("x86_64-darwin", "darwin64", ".dylib", "x86_64-macos.11.0"),
    Platform("aarch64-darwin", "darwin64", ".dylib", "aarch64-macos.11.0"),
)
WEBASSEMBLY = Platform("wasm32", "wasm32", ".wasm", "wasm32-wasi")
"""Not among FMI's: the engine alone is built for it, see `fmu/runtime/build/webassembly.py`."""
_PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64", "i386": "x86", "i686": "x86"}
_SYSTEMS = {"win32": ("windows", ".dll"), "darwin": ("darwin", ".dylib")}
_FMI2_ONLY = {"x86-linux": "linux32", "x86-windows": "win32"}


def find(name: str) -> tuple[Platform, ...]:
    """The platforms of a name, FMI 3.0's or FMI 2.0's: two for "darwin64", none for a name that is not known."""
    known = (*PLATFORMS, local()) if local() not in PLATFORMS else PLATFORMS
    return tuple(platform for platform in known if name in (platform.name, platform.fmi2))


def written_out(given: Iterable[str]) -> list[str]:
    """Names of platforms, with those of the table in the place of "all"."""
    return [name for word in given for name in ([p.name for p in PLATFORMS] if word == ALL else [word])]


def names() -> list[str]:
    """Every name by which a platform can be asked for."""
    return list(dict.fromkeys(name for platform in PLATFORMS for name in (platform.name, platform.fmi2)))


def local() -> Platform:
    """The platform that this Python runs on; one that is not in the table has no target."""
    machine = machine_platform.machine().lower()
    processor = _PROCESSORS.get(machine, machine)
    if processor == "x86_64" and sys.maxsize < 2**32:
        processor = "x86"
    system, suffix = _SYSTEMS.get(sys.platform, ("linux", ".so"))
    name = f"{processor}-{system}"
    here = [platform for platform in PLATFORMS if platform.name == name]
    return here[0] if here else Platform(name, _FMI2_ONLY.get(name, name), suffix)


def fmi_platform() -> tuple[str, str]:
    """What FMI 2.0 calls this machine's platform, and how libraries end there."""
    return local().fmi2, local().suffix
