"""Components of WebAssembly that FMUs carry, run by wasmtime as a host of FMI-LS-WASM would."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import fmpy


class ComponentHost:
    """A component of an FMU, with the messages that it sends. interface: "co-simulation" or "model-exchange"."""

    def __init__(self, path: Path, interface: str) -> None:
        import wasmtime
        from wasmtime import component as components

        self.description = fmpy.read_model_description(path)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        with zipfile.ZipFile(path) as archive:
            (name,) = (name for name in archive.namelist() if name.startswith("binaries/wasm32-wasip2/"))
            content = archive.read(name)
        self.messages: list[tuple[str, ...]] = []
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        linker = components.Linker(engine)
        with linker.root() as root, root.add_instance("fmi:fmi3/callbacks@3.0.0") as callbacks:
            callbacks.add_func("log-message", lambda _store, *message: self.messages.append(message))
        self._instance = linker.instantiate(self._store, components.Component(engine, content))
        self._interface = interface
        self._one: Any = None

    def free(self, interface: str, name: str, *arguments: Any) -> Any:
        """What a function that is no method returns."""
        exported = self._instance.get_export_index(self._store, f"fmi:fmi3/{interface}@3.0.0")
        assert exported, f"the component does not export {interface}"
        function = self._instance.get_func(self._store, self._instance.get_export_index(self._store, name, exported))
        assert function, f"{interface} has no {name}"
        found = function(self._store, *arguments)
        function.post_return(self._store)
        return found

    def instantiate(self, token: str | None = None, *rest: Any) -> bool:
        """Whether there is an instance now."""
        what = f"[static]{self._interface}-instance.instantiate-{self._interface}"
        given = ("one", token or self.description.instantiationToken, False, True, *rest)
        self._one = self.free(self._interface, what, *given)
        return self._one is not None

    def __call__(self, method: str, *arguments: Any) -> Any:
        """What a method of the instance returns."""
        return self.free(self._interface, f"[method]{self._interface}-instance.{method}", self._one, *arguments)

    def values(self, *names: str) -> list[float]:
        """The elements of variables of the type Float64."""
        found: list[float] = self("get-float64", [self.references[name] for name in names])
        return found

    def drop(self) -> None:
        """Free the instance."""
        self._one.drop(self._store)
