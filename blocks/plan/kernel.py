"""What a block's kernel is: its name in the engine, the functions that it has, and whether it fits the declaration."""

from __future__ import annotations

from blocks.errors import DeclarationError, did_you_mean
from blocks.kernel_views.groups import Form, groups_of
from blocks.model.block import Block, Sizes
from blocks.model.derived import present
from blocks.model.library import library
from blocks.model.python_block import PythonBlock
from cython_kernels import engine as native

Rate = tuple[float, float]
"""Period and offset of sampled blocks, s."""

_FUNCTIONS = ("setup", "start", "outputs", "derivatives", "update", "crossings", "jumps")


def check_kernel(block: Block) -> None:
    """Raise DeclarationError if a block's kernel does not exist or does not fit the declaration.

    Opens the compiled library that it is in; raises LibraryError if that is not in order.
    """
    if isinstance(block, PythonBlock):
        return
    name = type(block).__name__
    if not block.kernel:
        kinds = sorted(called for called, cls in library().items() if issubclass(cls, type(block)))
        hint = f": it is what several blocks have in common; take one of {', '.join(kinds)}" if kinds else ""
        raise DeclarationError(f"{name} has no kernel{hint}")
    kernel, compiled = kernel_name(block), kernel_library(block)
    if compiled:
        from blocks.libraries.opening import open_library

        open_library(compiled).check_has(block.kernel)
    counts = native.kernel_counts(kernel)
    if counts is None:
        own = type(block).__module__.partition(".")[0] not in ("blocks", "fmu")
        hint = "; a kernel of your own stands in a library: keelblocks new library NAME makes one" if own else ""
        raise DeclarationError(f"{name}: there is no kernel '{kernel}'{hint}")
    declared = (len(block.input_ports), len(block.output_ports), len(type(block).parameters), len(block.sizes))
    for what, have, expected in zip(("inputs", "outputs", "parameters", "sizes"), declared, counts[:4], strict=True):
        if expected >= 0 and expected != have:
            raise DeclarationError(f"{name} declares {have} {what}, but its kernel '{kernel}' expects {expected}")
    _check_names(block)
    continuous = any(not s.discrete for s in block.states.values())
    if continuous != counts[7]:
        raise DeclarationError(
            f"{name} {'declares' if continuous else 'does not declare'} continuous states, but its kernel "
            f"'{kernel}' has {'no ' if continuous else ''}derivatives"
        )
    held = [name for name, state in block.states.items() if state.discrete]
    if held and not counts[8]:
        raise DeclarationError(
            f"{name} has the discrete states {', '.join(held)}, but its kernel '{kernel}' has no update"
        )
    if block.output_ports and not counts[6]:
        raise DeclarationError(f"{name} declares outputs, but its kernel '{kernel}' computes none")
    named = [item.name for item in present(block.derived_constants.values(), block)]
    if named and not counts[4]:
        raise DeclarationError(
            f"{name} declares the derived constants {', '.join(named)}, but its kernel '{kernel}' has no setup"
        )
    if block.sampled and continuous:
        raise DeclarationError(f"{name} is sampled and cannot have continuous states")


def _check_names(block: Block) -> None:
    """A kernel finds what it sees by its place: what an instance has is what is declared, from the first on."""
    cls = type(block)
    if cls.kernels and block.kernel not in cls.kernels:
        raise DeclarationError(
            f"{cls.__name__} chooses the kernel '{block.kernel}', but names only {', '.join(cls.kernels)} in `kernels`"
            f"{did_you_mean(block.kernel, cls.kernels)}"
        )
    groups = groups_of(cls)
    discrete, continuous = ([n for n, s in block.states.items() if s.discrete is kind] for kind in (True, False))
    has = {
        "input": (groups["u"], [*block.input_ports]),
        "output": (groups["y"], [*block.output_ports]),
        "continuous state": (groups["x"], continuous),
        "discrete state": (groups["z"], discrete),
        "derived constant": (groups["w"], [item.name for item in present(cls.derived_constants.values(), block)]),
        "zero crossing": (groups["g"], [item.name for item in present(cls.crossings.values(), block)]),
    }
    for what, (group, names) in has.items():
        if group.form in (Form.RAW, Form.EMPTY):
            continue
        declared = [member.name for member in group.members]
        if names != declared[: len(names)]:
            odd = next(name for i, name in enumerate(names) if [name] != declared[i : i + 1])
            raise DeclarationError(
                f"{cls.__name__}: this one has the {what}s {', '.join(names)}, but its kernel '{block.kernel}' sees "
                f"{', '.join(declared)}, from the first on: '{odd}' would be taken for another. Give what an instance "
                f"may leave out a `when`, and declare it last, or say by_number = '{group.letter}'"
            )


def kernel_name(block: Block) -> str:
    """The engine's name of the kernel: "gain", or with its library "my_blocks.drag"."""
    if isinstance(block, PythonBlock):
        return block.engine_kernel
    library = kernel_library(block)
    return f"{library}.{block.kernel}" if library else block.kernel


def kernel_library(block: Block) -> str:
    """The compiled library that has the kernel: that of the class which names it; "" for those of the engine."""
    if isinstance(block, PythonBlock):
        return ""
    named = (cls for cls in type(block).__mro__ if "kernel" in vars(cls) or "kernels" in vars(cls))
    return next((cls.library for cls in named if issubclass(cls, Block)), "")


def kernel_numbers(block: Block, sizes: Sizes) -> list[int]:
    """The sizes n[…] that the kernel sees."""
    return [] if isinstance(block, PythonBlock) else block.kernel_sizes(sizes)


def kernel_functions(block: Block) -> dict[str, bool]:
    """Which functions the block's kernel has."""
    counts = native.kernel_counts(kernel_name(block)) if not isinstance(block, PythonBlock) else None
    if counts is not None:
        return dict(zip(_FUNCTIONS, counts[4:], strict=True))
    assert isinstance(block, PythonBlock)
    return dict.fromkeys(_FUNCTIONS, False) | {
        "outputs": True,
        "derivatives": block.has_derivatives,
        "update": block.has_update,
    }


def rate_of(block: Block) -> Rate:
    """Period and offset of a sampled block."""
    period, offset = block.sampling
    return float(block.values[period]), float(block.values[offset])
