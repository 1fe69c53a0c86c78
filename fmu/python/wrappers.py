"""The binaries of FMUs with blocks written in Python: wrappers of PythonFMU and PythonFMU3, our stub for Linux."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from blocks.errors import ExportError, did_you_mean
from fmu import runtime


@dataclass(frozen=True)
class Wrapper:
    """A package that brings wrappers."""

    package: str
    platforms: dict[str, str]
    """FMI 2's name of each platform, which callers use, with the name of the wrapper's folder."""
    stubbed: tuple[str, ...] = ("linux64",)


WRAPPERS = {
    "2.0": Wrapper("pythonfmu", {"linux64": "linux64", "win64": "win64", "darwin64": "darwin64"}),
    "3.0": Wrapper(
        "pythonfmu3",
        {
            "linux64": "x86_64-linux", "win64": "x86_64-windows", "darwin64": "x86_64-darwin",
            "x86_64-linux": "x86_64-linux", "x86_64-windows": "x86_64-windows", "x86_64-darwin": "x86_64-darwin",
        },
    ),
}  # fmt: skip
_SUFFIXES = {"linux": ".so", "win": ".dll", "windows": ".dll", "darwin": ".dylib"}


def binaries(fmi: str, identifier: str, platforms: Iterable[str] | None) -> dict[str, bytes]:
    """The files under `binaries` for some platforms; None: for all that the wrapper was built for.

    On Linux the stub has the name that tools load, and the wrapper stands next to it. Raises ExportError if there is no
    wrapper for a platform, or no stub.
    """
    wrapper = WRAPPERS[fmi]
    folder = _package_folder(wrapper.package) / "resources" / "binaries"
    there = {name: found for name, own in wrapper.platforms.items() for found in _library(folder / own)}
    wanted = sorted(there) if platforms is None else list(platforms)
    files: dict[str, bytes] = {}
    for platform in wanted:
        if platform not in there:
            raise ExportError(
                f"{wrapper.package} {metadata.version(wrapper.package)} runs blocks written in Python on "
                f"{', '.join(sorted(there))}, not on '{platform}'{did_you_mean(platform, there)}"
            )
        library = there[platform]
        place = f"binaries/{library.parent.name}/{identifier}"
        if library.suffix == ".so":
            files[f"{place}{library.suffix}"] = stub()
            files[f"{place}_wrapper{library.suffix}"] = library.read_bytes()
        else:
            files[f"{place}{library.suffix}"] = library.read_bytes()
    return files


def _library(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in (".so", ".dll", ".dylib"))[:1]


def _package_folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ExportError(
            f"blocks written in Python leave through {package}, which is not installed: pip install {package}"
        )
    return Path(spec.origin).parent


def stub() -> bytes:
    """The library that finds Python on Linux. Raises ExportError if it was not built."""
    path = runtime.BINARIES / "x86_64-linux" / "python_stub.so"
    if not path.is_file():
        raise ExportError(
            "the stub that finds Python on Linux was not built: build it with: make build; or leave Linux out, "
            'platforms=["win64"]'
        )
    return path.read_bytes()


def licence(fmi: str) -> bytes:
    """The licence of the wrapper, which has to stand where the wrapper goes."""
    package = WRAPPERS[fmi].package
    distribution = metadata.distribution(package)
    text = next((t for name in ("licenses/LICENSE", "LICENSE") if (t := distribution.read_text(name))), "")
    return f"{package} {distribution.version}\n\n{text}".encode()
