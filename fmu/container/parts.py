"""The FMUs that a container is to hold: whether it can, on which platforms it runs, and what can be set of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from blocks.errors import ExportError
from cython_kernels.plain_c.platforms import PLATFORMS, find
from fmu import runtime
from fmu.container.toolbox import PACKAGE, runtimes
from fmu.exporting.arguments import read_names
from fmu.foreign.importer import FmuBlock
from fmu.foreign.variables import Variable

INSTEAD = "export a system, fmu.export_ssp or keelblocks export --format ssp"
"""What to do where there can be no container."""


def check_asked(asked: Mapping[str, Any]) -> None:
    """Raise ExportError for arguments of `fmu.export` that a container does not go with."""
    if asked["fmi"] != "2.0":
        raise ExportError(
            f"an FMU with FMUs inside is of FMI 2.0 here, with parts of 2.0 and 3.0, not of {asked['fmi']}: leave out "
            f"fmi (--fmi), or {INSTEAD}"
        )
    if "cs" not in read_names("interfaces", asked["interfaces"]):
        raise ExportError(
            f"an FMU with FMUs inside is for co-simulation, not for model exchange: interfaces=['cs'], or {INSTEAD}"
        )
    if asked["sources"]:
        raise ExportError("sources: FMUs inside an FMU are binaries; parts without FMUs have sources (--only)")
    if asked["stop"] is not None:
        raise ExportError(
            f"stop: an FMU with FMUs inside cannot ask to be terminated, so '{asked['stop']}' would end nothing: leave "
            f"it out and watch that output"
        )


def check_parts(blocks: Mapping[str, FmuBlock]) -> None:
    """Raise ExportError, naming it, for an FMU that the runtime of containers does not step as its block does."""
    once: dict[str, str] = {}
    for path, block in blocks.items():
        model, where = block.description.model, f"{path} ({block.file})"
        if not model.fmiVersion.startswith(("2", "3")):
            raise ExportError(
                f"{where} is of FMI {model.fmiVersion}, and an FMU can hold parts of FMI 2.0 and 3.0: {INSTEAD}"
            )
        if model.coSimulation is None:
            raise ExportError(
                f"{where} offers model exchange only; a container would integrate it by Euler's method with the "
                f"communication step: {INSTEAD}"
            )
        if block.used_interface != "cs":
            raise ExportError(
                f"{where} is used by model exchange, and a container co-simulates: leave out interface='me', or "
                f"{INSTEAD}"
            )
        if block.values["communication_offset"] != 0.0:
            raise ExportError(
                f"{where} has a communication_offset of {block.values['communication_offset']:g} s; in a container all "
                f"FMUs step from the start: set it to 0, or {INSTEAD}"
            )
        settings = block.face.settings.items()
        if any(setting.structural and setting.start_values(block.values[name]) for name, setting in settings):
            raise ExportError(f"{where} has structural parameters that are set, which a container cannot: {INSTEAD}")
        for name, setting in settings:
            if is_sized(setting.variable) and setting.start_values(block.values[name]):
                raise ExportError(
                    f"{path}.{name} has its size from a structural parameter of {block.file}, and a container cannot "
                    f"set it: leave it as the FMU has it, or {INSTEAD}"
                )
        if model.coSimulation.canBeInstantiatedOnlyOncePerProcess:
            other = once.setdefault(block.description.package.checksum, path)
            if other != path:
                raise ExportError(
                    f"{where} can be instantiated once per process, and {other} is of the same FMU: leave one out"
                )


def check_port(path: str, block: FmuBlock, port: str) -> None:
    """Raise ExportError for a port that a container cannot connect."""
    variable = block.face.sources[port]
    sized = is_sized(variable)
    if len(variable.shape) > 1 or sized:
        what = "an array whose size is a structural parameter" if sized else "a matrix"
        raise ExportError(f"{path}.{port} is {what} of {block.file}, which a container does not pass on: {INSTEAD}")
    if port in block.face.fixed:
        raise ExportError(
            f"{path}.{port} is a parameter of {block.file}, which a container connects with nothing: give it a value, "
            f"parameters={{…}}, or {INSTEAD}"
        )
    if variable.first.causality not in ("input", "output"):
        raise ExportError(
            f"{path}.{port} is a {_CAUSALITIES.get(variable.first.causality, 'local variable')} of {block.file}, and a "
            f"container reads outputs only: leave it out of `ports`, or {INSTEAD}"
        )
    if variable.width == 0:
        raise ExportError(f"{path}.{port} of {block.file} has no elements: leave its wires out")


_CAUSALITIES = {"calculatedParameter": "calculated parameter"}


def is_sized(variable: Variable) -> bool:
    """Whether a structural parameter says how many elements it has."""
    return any(size.valueReference is not None for member in variable.members for size in member.dimensions or ())


def common_platforms(
    blocks: Mapping[str, FmuBlock], own: Iterable[str] | None, wanted: Iterable[str] | None
) -> list[str]:
    """The platforms of a container by FMI 3.0's names: those that are wanted, or all that every part of it has.

    own: those of the FMU of what is ours, if that is known. Raises ExportError, naming the part, if one lacks what is
    wanted, or if none is left.
    """
    parts = {f"{path} ({block.file})": platforms_of(block) for path, block in blocks.items()}
    parts[f"the runtime of {PACKAGE}"] = list(runtimes())
    if own is not None:
        parts["what is ours"] = list(own)
    if wanted is None:
        kept = [p.name for p in PLATFORMS if all(p.name in has for has in parts.values())]
        if not kept:
            said = "; ".join(f"{part} has {', '.join(has) or 'none'}" for part, has in parts.items())
            raise ExportError(f"there is no platform that all parts have: {said}")
        return kept
    kept = []
    for name in wanted:
        runtime.folder(name, "2.0")  # raises if there is no such platform
        known = [platform.name for platform in find(name)]
        fitting = [one for one in known if all(one in has for has in parts.values())]
        if not fitting:
            part, has = min(parts.items(), key=lambda item: len(set(known) & set(item[1])))
            raise ExportError(f"{part} has no binary for {name}, only for {', '.join(has) or 'no platform'}")
        kept += [one for one in fitting if one not in kept]
    return kept


def platforms_of(block: FmuBlock) -> list[str]:
    """The platforms that an FMU from elsewhere has a binary for, by FMI 3.0's names."""
    description = block.description
    identifier = description.settings("cs").modelIdentifier
    version = "2.0" if description.fmi == 2 else "3.0"
    return platforms_in(description.package.members, version, identifier)


def platforms_in(files: Container[str], version: str, identifier: str) -> list[str]:
    """The platforms that there is a binary for among the files of an FMU, by FMI 3.0's names."""
    paths = {p.name: f"binaries/{p.folder(version)}/{identifier}{p.suffix}" for p in PLATFORMS}
    return [name for name, path in paths.items() if path in files]
