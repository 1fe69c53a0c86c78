"""The declarations of blocks, found without its kernels and without what the families export."""

from __future__ import annotations

import importlib
import re
import types
from collections.abc import Iterator

from blocks.kernel_views.source import Source, ViewError, kernels_package
from blocks.model.block import Block


def declared_blocks(source: Source) -> list[type[Block]]:
    """Every block class of the families, abstract ones too: by family, module and place in it. Raises ViewError.

    Not those whose kernel is another package's: blocks in Python, and subclasses that leave a kernel as it is.
    """
    return [cls for module in _modules(source) for cls in _classes(module) if not _has_kernel_of_others(cls, source)]


def _modules(source: Source) -> Iterator[types.ModuleType]:
    for file in source.declaration_files():
        try:
            yield importlib.import_module(".".join(file.with_suffix("").parts))
        except Exception as problem:
            raise ViewError(
                f"{file} cannot be imported, and a view is made from its declarations "
                f"before anything is compiled: {type(problem).__name__}: {problem}"
            ) from problem


def _has_kernel_of_others(cls: type[Block], source: Source) -> bool:
    named = next(base for base in cls.__mro__ if "kernel" in vars(base))
    return named is not Block and not source.has(named)


def _classes(module: types.ModuleType) -> Iterator[type[Block]]:
    for item in vars(module).values():
        if isinstance(item, type) and issubclass(item, Block) and item.__module__ == module.__name__:
            yield item


def kernels_of(cls: type[Block]) -> tuple[str, ...]:
    """The kernels that instances of a class may choose from; none of an abstract class. Raises ViewError."""
    if cls.kernels:
        return cls.kernels
    if isinstance(cls.kernel, str):
        return (cls.kernel,) if cls.kernel else ()
    raise ViewError(
        f"{cls.__name__} chooses its kernel by a property: name all that it chooses from in its declaration, such as "
        f'kernels = ("{snake(cls)}", "{snake(cls)}_lag")'
    )


def place_of(cls: type[Block]) -> str:
    """The module of a class within its package: "control.pid"."""
    return cls.__module__.partition(".")[2]


def file_of(cls: type[Block]) -> str:
    """The file that a class is declared in: "blocks/control/pid.py"."""
    return f"{cls.__module__.replace('.', '/')}.py"


def views_module(cls: type[Block]) -> str:
    """Where the view of a class is cimported from."""
    return f"{kernels_package(cls)}.views.{place_of(cls)}"


def title(cls: type[Block]) -> str:
    """What its views begin with: its name."""
    return cls.__name__.lstrip("_")


def with_article(name: str) -> str:
    """An AnchorView, a SailView."""
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def snake(cls: type[Block]) -> str:
    """The name of a class as functions have it: vessel_6dof, line_of_sight_3d."""
    name = re.sub(r"(?<=[a-z])(?=\d+[A-Z])|(?<=[a-zA-Z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", "_", title(cls))
    return name.lower()
