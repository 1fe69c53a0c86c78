"""What has been found, kept from one run to the next."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from mutants.mutant import Mutant
from mutants.noticing import Test


class Results:
    """By mutant. One that was killed stays so; one that was not is asked again by tests that are new or others."""

    def __init__(self, path: Path, tree: Path) -> None:
        self.path, self.tree = path, tree
        self.known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self._hashes: dict[str, str] = {}

    def killed_by(self, mutant: Mutant) -> str:
        """What killed it; "" if nothing has."""
        return str(self.known.get(mutant.key, {}).get("killed by", ""))

    def survived(self, mutant: Mutant, tests: Sequence[Test]) -> bool:
        """Whether these same tests did not notice it before."""
        return self._asked(tests) in self.known.get(mutant.key, {}).get("survived", ())

    def put(self, mutant: Mutant, tests: Sequence[Test], killed_by: str) -> None:
        """Keep it now, so that nothing is lost by Ctrl-C."""
        entry = self.known.setdefault(mutant.key, {})
        if killed_by:
            entry["killed by"] = killed_by
        else:
            entry.setdefault("survived", []).append(self._asked(tests))
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps(self.known, indent=1), encoding="utf-8")
        beside.replace(self.path)

    def _asked(self, tests: Sequence[Test]) -> str:
        text = "\n".join(f"{one.name} {self._hash(one.file)}" for one in tests)
        return hashlib.sha256(text.encode()).hexdigest()

    def _hash(self, file: str) -> str:
        if file not in self._hashes:
            self._hashes[file] = hashlib.sha256((self.tree / file).read_bytes()).hexdigest()
        return self._hashes[file]
