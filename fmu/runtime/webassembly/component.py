"""The component of WebAssembly around the module of an FMU, which `runtime/c/component.c` becomes.

Three modules: one with the memory, so that functions of the host can be given to the FMU's module when it is made; the
FMU's; and one that hands the first the FMU's function for dropping an instance, which has to be named before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .component_format import (
    ALIAS,
    CANON,
    COMPONENT,
    CORE_INSTANCE,
    EXPORT,
    FUNC,
    IMPORT,
    INSTANCE,
    INSTANCES,
    MAGIC,
    MODULE,
    TYPE,
    TYPES,
    Scope,
    plain,
    section,
    text,
    vector,
)
from .format import IMPORTS, as_number, number, sections
from .interfaces import GET_VERSION, LOG_MESSAGE, Function, Interface, path
from .interfaces import TYPES as SHARED_TYPES

_CORE_FUNC, _CORE_TABLE, _CORE_MEMORY = b"\0\0", b"\0\1", b"\0\2"
_RESOURCE, _UTF8 = b"\x3f\x7f", b"\0"


class _Component:
    """A component while it is written: sections, and what has been counted of each sort."""

    def __init__(self) -> None:
        self.parts = [MAGIC]
        self.counts: dict[str, int] = {}
        self.types = Scope(lambda definition: self.put(TYPE, definition))

    def put(self, kind: int, item: bytes) -> None:
        """A section with one item."""
        self.parts.append(section(kind, vector([item])))

    def next(self, sort: str) -> int:
        """The index of what comes next of a sort."""
        self.counts[sort] = self.counts.get(sort, -1) + 1
        return self.counts[sort]

    def content(self) -> bytes:
        return b"".join(self.parts)

    # --- what is in core modules

    def module(self, content: bytes, given: Sequence[tuple[str, int]] = ()) -> int:
        """An instance of a module, with instances under the names by which it imports them."""
        self.parts.append(section(MODULE, content))
        number_of = self.next("module")
        arguments = vector(text(name) + b"\x12" + as_number(instance) for name, instance in given)
        self.put(CORE_INSTANCE, b"\0" + as_number(number_of) + arguments)
        return self.next("core instance")

    def bundle(self, entries: Iterable[tuple[str, bytes, int]]) -> int:
        """An instance of what is there: names, sorts (of one byte) and indices."""
        self.put(CORE_INSTANCE, b"\1" + vector(text(n) + sort[1:] + as_number(i) for n, sort, i in entries))
        return self.next("core instance")

    def core_alias(self, sort: bytes, instance: int, name: str) -> int:
        """What an instance of a module exports."""
        self.put(ALIAS, sort + b"\1" + as_number(instance) + text(name))
        return self.next(f"core {sort[1]}")

    # --- what is of components

    def canon(self, definition: bytes) -> int:
        """A function of the core that the host makes."""
        self.put(CANON, definition)
        return self.next(f"core {_CORE_FUNC[1]}")

    def imported(self, name: str, declarations: Sequence[bytes]) -> int:
        """An instance that the host gives, of a type with these declarations."""
        kind = self.types.define(b"\x42" + vector(declarations))
        self.put(IMPORT, plain(name) + b"\5" + as_number(kind))
        return self.next("instance")

    def alias(self, sort: bytes, instance: int, name: str) -> None:
        """What an instance exports."""
        self.put(ALIAS, sort + b"\0" + as_number(instance) + text(name))

    def export(self, name: str, instance: int) -> None:
        self.put(EXPORT, plain(name) + INSTANCES + as_number(instance) + b"\0")
        self.next("instance")


def component(module: bytes, interfaces: Sequence[Interface]) -> bytes:
    """The component of an FMU that has these interfaces.

    Raises ValueError if the module is none, or imports no memory.
    """
    made = _Component()
    _import_types(made)
    log_message = _import_callbacks(made)
    provider = made.module(_provider(_pages(module)))
    memory = made.core_alias(_CORE_MEMORY, provider, "memory")
    table = made.core_alias(_CORE_TABLE, provider, "table")
    drop = made.core_alias(_CORE_FUNC, provider, "drop")
    options = vector([_UTF8, b"\3" + as_number(memory)])
    lowered = made.canon(b"\1\0" + as_number(log_message) + options)
    given = [("log-message", _CORE_FUNC, lowered)]
    for interface in interfaces:
        resource = made.types.define(_RESOURCE + b"\1" + as_number(drop))
        made.types.named[interface.resource] = resource
        made.types.resources.add(interface.resource)
        given.append((f"new-{interface.name}", _CORE_FUNC, made.canon(b"\2" + as_number(resource))))
    host = made.bundle(given)
    environment = made.bundle([("memory", _CORE_MEMORY, memory)])
    fmu = made.module(module, [("host", host), ("env", environment)])
    dropping = [("table", _CORE_TABLE, table), ("drop", _CORE_FUNC, made.core_alias(_CORE_FUNC, fmu, "drop"))]
    made.module(_table_filler(), [("fmu", made.bundle(dropping))])
    realloc, post = (made.core_alias(_CORE_FUNC, fmu, name) for name in ("realloc", "post"))
    options = vector([_UTF8, b"\3" + as_number(memory), b"\4" + as_number(realloc), b"\5" + as_number(post)])
    cores: dict[str, int] = {}

    def lifted(function: Function, self_of: str = "") -> int:
        """A function of the FMU's module as one of the component."""
        if function.name not in cores:
            cores[function.name] = made.core_alias(_CORE_FUNC, fmu, function.name)
        kind = made.types.function(function.parameters, function.result, self_of)
        made.put(CANON, b"\0\0" + as_number(cores[function.name]) + options + as_number(kind))
        return made.next("func")

    version = lifted(GET_VERSION)
    made.put(INSTANCE, b"\1" + vector([plain(GET_VERSION.name) + FUNC + as_number(version)]))
    made.export(path("common"), made.next("instance"))
    for interface in interfaces:
        _export(made, interface, lifted)
    return made.content()


def _import_types(made: _Component) -> None:
    declarations: list[bytes] = []
    inner = Scope(lambda definition: declarations.append(b"\1" + definition))
    for name, kind in SHARED_TYPES.items():
        structure = inner.structure(kind)
        declarations.append(b"\4" + plain(name) + b"\3\0" + as_number(structure))
        inner.named[name] = inner.added()
    instance = made.imported(path("types"), declarations)
    for name in SHARED_TYPES:
        made.alias(TYPES, instance, name)
        made.types.named[name] = made.types.added()


def _import_callbacks(made: _Component) -> int:
    """The function `log-message` of the host."""
    declarations: list[bytes] = []
    inner = Scope(lambda definition: declarations.append(b"\1" + definition))
    declarations.append(b"\2" + TYPES + b"\2\1" + as_number(made.types.named["status"]))
    declarations.append(b"\4" + plain("status") + b"\3\0" + as_number(inner.added()))
    inner.named["status"] = inner.added()
    kind = inner.function(LOG_MESSAGE.parameters, LOG_MESSAGE.result)
    declarations.append(b"\4" + plain(LOG_MESSAGE.name) + b"\1" + as_number(kind))
    instance = made.imported(path("callbacks"), declarations)
    made.alias(FUNC, instance, LOG_MESSAGE.name)
    return made.next("func")


def _export(made: _Component, interface: Interface, lifted: Callable[[Function, str], int]) -> None:
    """Export an interface, by a component within that gives types and functions their names."""
    given: list[bytes] = []
    for name, kind in interface.own.items():
        made.types.named[name] = made.types.structure(kind)
    for name in (*SHARED_TYPES, *interface.own, interface.resource):
        given.append(text(f"import-type-{name}") + TYPES + as_number(made.types.named[name]))
    functions = [(interface.factory, ""), *((method, interface.resource) for method in interface.methods)]
    for function, self_of in functions:
        given.append(text(f"import-func-{function.name}") + FUNC + as_number(lifted(function, self_of)))
    made.parts.append(section(COMPONENT, _naming(interface, functions)))
    made.put(INSTANCE, b"\0" + as_number(made.next("component")) + vector(given))
    made.export(path(interface.name), made.next("instance"))


def _naming(interface: Interface, functions: Sequence[tuple[Function, str]]) -> bytes:
    """The component that takes what is to be exported and exports it under the names of the interface."""
    inner = _Component()
    scope = inner.types
    for name, kind in (*SHARED_TYPES.items(), *interface.own.items()):
        structure = scope.structure(kind)
        inner.put(IMPORT, plain(f"import-type-{name}") + b"\3\0" + as_number(structure))
        scope.named[name] = scope.added()
    inner.put(IMPORT, plain(f"import-type-{interface.resource}") + b"\3\1")
    scope.named[interface.resource] = scope.added()
    scope.resources.add(interface.resource)
    numbers = {}
    for function, self_of in functions:
        kind_of = scope.function(function.parameters, function.result, self_of)
        inner.put(IMPORT, plain(f"import-func-{function.name}") + b"\1" + as_number(kind_of))
        numbers[function.name] = inner.next("func")
    for name in (*interface.used, *interface.own, interface.resource):
        inner.put(EXPORT, plain(name) + TYPES + as_number(scope.named[name]) + b"\0")
        scope.named[name] = scope.added()
    for function, self_of in functions:
        kind_of = scope.function(function.parameters, function.result, self_of)
        label = f"[{'method' if self_of else 'static'}]{interface.resource}.{function.name}"
        ascribed = b"\1\1" + as_number(kind_of)
        inner.put(EXPORT, plain(label) + FUNC + as_number(numbers[function.name]) + ascribed)
    return inner.content()


# --- modules that are written here ---------------------------------------------------------------------------------


def _pages(module: bytes) -> int:
    """How many pages of memory a module imports."""
    for part in sections(module):
        if part.kind != IMPORTS:
            continue
        count, place = number(part.content, 0)
        for _ in range(count):
            for _ in range(2):
                size, place = number(part.content, place)
                place += size
            kind, place = part.content[place], place + 1
            if kind == 2:  # a memory: whether there is a most, and the least
                return number(part.content, place + 1)[0]
            if kind != 0:
                raise ValueError("the module of the FMU imports more than functions and a memory")
            _, place = number(part.content, place)
    raise ValueError("the module of the FMU imports no memory")


def _core(*parts: tuple[int, bytes]) -> bytes:
    return b"\0asm\1\0\0\0" + b"".join(section(kind, content) for kind, content in parts)


_TAKES_A_NUMBER = (1, vector([b"\x60" + vector([b"\x7f"]) + vector([])]))


def _provider(pages: int) -> bytes:
    """A module with a memory, and with a function that calls what stands in its table later."""
    body = b"\0" + b"\x20\0" + b"\x41\0" + b"\x11\0\0" + b"\x0b"  # local.get 0; i32.const 0; call_indirect
    exported = [("memory", b"\2\0"), ("table", b"\1\0"), ("drop", b"\0\0")]
    return _core(
        _TAKES_A_NUMBER,
        (3, vector([b"\0"])),
        (4, vector([b"\x70\0\1"])),
        (5, vector([b"\0" + as_number(pages)])),
        (7, vector(text(name) + what for name, what in exported)),
        (10, vector([as_number(len(body)) + body])),
    )


def _table_filler() -> bytes:
    """A module that puts a function into that table."""
    imported = [text("fmu") + text("table") + b"\1\x70\0\1", text("fmu") + text("drop") + b"\0\0"]
    return _core(_TAKES_A_NUMBER, (2, vector(imported)), (9, vector([b"\0\x41\0\x0b" + vector([b"\0"])])))
