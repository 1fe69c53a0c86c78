"""Which source has to travel with blocks written in Python: that of their classes, and what it imports."""

from __future__ import annotations

import importlib.util
import io
import re
import sys
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import metadata
from importlib.machinery import ModuleSpec
from pathlib import Path

from blocks.errors import ExportError
from blocks.python_block import PythonBlock
from fmu.python.imports import imported_names
from fmu.python.slices import needed_part

OWN = ("blocks", "cython_kernels", "fmu")
_SITES = {"site-packages", "dist-packages"}
_CODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")


@dataclass(frozen=True)
class Module:
    """A module that travels. Its name is the one that it has here."""

    name: str
    source: str
    is_package: bool = False


@dataclass
class Carried:
    """What blocks written in Python need besides Keelblocks."""

    modules: dict[str, Module] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    """Distributions to install on the target, with the version that is installed here ("" if it tells none)."""
    imports: dict[str, str] = field(default_factory=dict)
    """The module by which each of these is found, by its distribution."""
    classes: dict[type[PythonBlock], str] = field(default_factory=dict)
    """The module that each class is found in."""

    @property
    def tops(self) -> set[str]:
        """The top-level names of the modules that travel."""
        return {name.partition(".")[0] for name in self.modules}


def carry(blocks: Iterable[tuple[str, PythonBlock]]) -> Carried:
    """All that these blocks (name, block) need. Raises ExportError if something of it cannot travel."""
    found = Carried()
    script: dict[str, set[str]] = {}
    for where, block in blocks:
        if type(block).__module__.partition(".")[0] in OWN:
            raise ExportError(
                f"block {where}: a {type(block).__name__} runs in the process of Keelblocks only and cannot be in an "
                f"FMU: export the other parts, and connect the FMUs in the tool that runs them"
            )
        for kind in type(block).__mro__:
            if kind.__module__.partition(".")[0] in (*OWN, "builtins"):
                continue
            _check_class(where, kind)
            if kind.__module__ == "__main__":
                name = _script_name(where, kind)
                script.setdefault(name, set()).add(kind.__qualname__.partition(".")[0])
            else:
                name = kind.__module__
                _add(found, name, f"block {where}: the class {kind.__name__}")
            if kind is type(block):
                found.classes[kind] = name
    for name, wanted in script.items():
        source = needed_part(_read(Path(str(sys.modules["__main__"].__file__))), wanted)
        _take(found, Module(name, source), name.rpartition(".")[0], "the script")
    return found


def _check_class(where: str, kind: type) -> None:
    """Raise ExportError unless a class can be found by its name in a module."""
    name = kind.__qualname__
    if "<locals>" in name:
        raise ExportError(
            f"block {where}: its class {kind.__name__} is defined inside a function, where an FMU cannot find it: move "
            f"the class to the top of its module"
        )
    found: object = sys.modules.get(kind.__module__)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not kind:
        raise ExportError(
            f"block {where}: the module {kind.__module__} has no class {name} any more, or another one: make the block "
            f"anew from the class that is there, or start Python afresh"
        )


def _script_name(where: str, kind: type) -> str:
    """Under which name the running script travels. Raises ExportError if it is no file."""
    main = sys.modules["__main__"]
    path = getattr(main, "__file__", None)
    if path is None or not Path(path).is_file():
        raise ExportError(
            f"block {where}: the source of its class {kind.__name__} cannot be found, because it was typed at a prompt "
            f"or in a notebook: put the class into a file, my_blocks.py, and import it from there"
        )
    spec: ModuleSpec | None = getattr(main, "__spec__", None)
    return spec.name if spec is not None else "__main__"


def _add(found: Carried, name: str, reason: str) -> None:
    """Take a module along, or note what to install for it. `reason` begins the message if that is not possible."""
    top = name.partition(".")[0]
    if name in found.modules or top in OWN or top in sys.stdlib_module_names:
        return
    spec = _spec(name)
    if spec is None:  # what cannot be imported here was not needed here
        return
    origin = spec.origin if spec.has_location else None
    places = [origin] if origin else list(spec.submodule_search_locations or [])
    if any(_SITES & set(Path(place).parts) for place in places):
        _require(found, top)
        return
    parent = name.rpartition(".")[0]
    if parent:
        _add(found, parent, reason)
    if origin is None and spec.submodule_search_locations is not None:  # a folder without __init__.py
        found.modules[name] = Module(name, "", is_package=True)
        return
    if origin is None or not origin.endswith(".py"):
        raise ExportError(
            f"{reason} needs the module {name}, which is no Python source ({origin or 'built in'}) and cannot travel "
            f"in an FMU: put it into a package that can be installed, or do without it"
        )
    is_package = spec.submodule_search_locations is not None
    _take(found, Module(name, _read(Path(origin)), is_package), name if is_package else parent, reason)


def _take(found: Carried, module: Module, package: str, reason: str) -> None:
    """Take a module along and all that it imports."""
    found.modules[module.name] = module
    via = f"{reason} needs the module {module.name}, which" if module.name not in reason else f"{reason}, which"
    try:
        imports = list(imported_names(module.source, package))
    except (SyntaxError, ImportError) as problem:
        raise ExportError(f"{reason} needs the module {module.name}, whose imports cannot be read: {problem}") from None
    for name, taken in imports:
        _add(found, name, via)
        for one in taken:
            if one != "*" and name in found.modules and found.modules[name].is_package and _spec(f"{name}.{one}"):
                _add(found, f"{name}.{one}", via)


def _spec(name: str) -> ModuleSpec | None:
    """How a module is found; None if it is not."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    if spec is not None:
        return spec  # type: ignore[no-any-return]
    try:
        return importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _require(found: Carried, top: str) -> None:
    """Note the distribution that a top-level module comes from."""
    if top in found.imports.values():
        return
    distribution = top
    try:
        version = metadata.version(top)
    except metadata.PackageNotFoundError:
        names = metadata.packages_distributions().get(top)  # slow: it reads what is installed
        distribution = names[0] if names else top
        version = metadata.version(distribution) if names else ""
    found.packages[distribution] = version
    found.imports[distribution] = top


def _read(path: Path) -> str:
    """The text of a source file, without what it says about its encoding: it travels as UTF-8."""
    data = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    lines = io.StringIO(data.decode(encoding), newline=None).read().split("\n")
    for number in range(min(2, len(lines))):
        if _CODING.match(lines[number]):
            lines[number] = ""
    return "\n".join(lines)
