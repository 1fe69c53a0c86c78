"""The runner as a module of WebAssembly, in wasmtime."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class ModuleError(Exception):
    """A module that cannot be run: says why."""


def run(module: bytes, jobs: Iterable[bytes]) -> list[bytes]:
    """What the module answers to each job. Raises ModuleError."""
    import wasmtime

    store = wasmtime.Store()
    try:
        compiled = wasmtime.Module(store.engine, module)
        if compiled.imports:
            raise ModuleError(f"the module asks for {compiled.imports[0].module}.{compiled.imports[0].name}")
        exports: Any = wasmtime.Instance(store, compiled, []).exports(store)
        memory = exports["memory"]
        exports["_initialize"](store)
        found = []
        for job in jobs:
            memory.write(store, job, exports["job_room"](store, len(job)))
            size = exports["job_run"](store)
            at = exports["job_result"](store)
            found.append(bytes(memory.read(store, at, at + size)))
    except wasmtime.WasmtimeError as problem:
        raise ModuleError(f"wasmtime: {problem}") from None
    return found
