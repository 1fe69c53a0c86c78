"""What tells one piece of Python from another, for studies that go on from a folder."""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any


def digest(thing: Any) -> str:
    """A hash of the source of a function or a class, and of the plain values that it brings along.

    These are the arguments of a `functools.partial`, defaults, the variables around an inner function, and the
    attributes of an object that is called. What the source calls in turn is not looked into.
    """
    return hashlib.sha256("\n".join(_parts(thing)).encode()).hexdigest()[:16]


def full_name(thing: Any) -> str:
    """Module and name of a function, or of the class of an object that is called."""
    if isinstance(thing, functools.partial):
        return full_name(thing.func)
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{getattr(named, '__module__', '')}.{named.__qualname__}"


def _parts(thing: Any) -> Iterable[str]:
    if isinstance(thing, functools.partial):
        yield from _parts(thing.func)
        yield _plain([*thing.args, thing.keywords])
        return
    bound = getattr(thing, "__self__", None)
    if not hasattr(thing, "__qualname__"):  # an object that is called
        bound, thing = thing, type(thing)
    yield from _source(thing)
    yield _plain([getattr(thing, "__defaults__", None), getattr(thing, "__kwdefaults__", None)])
    yield _plain([_content(cell) for cell in getattr(thing, "__closure__", None) or ()])
    if not (inspect.ismodule(bound) or inspect.isclass(bound)):
        yield _plain(getattr(bound, "__dict__", None))


def _source(thing: Any) -> Iterable[str]:
    code = getattr(thing, "__code__", None)
    try:
        yield inspect.getsource(thing)
    except (OSError, TypeError):
        yield full_name(thing) if code is None else repr(code.co_code)
    if code is not None:  # several lambdas may stand on one line
        yield _plain([[value for value in code.co_consts if not inspect.iscode(value)], code.co_names])


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _plain(value: Any) -> str:
    """A value as text that is the same in every process: other objects by their names only."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_plain(key)}: {_plain(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_plain, value)) + "]"
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if inspect.isfunction(value):
        return "".join(_source(value))  # without what is around it, which may be the function itself
    return full_name(value)
