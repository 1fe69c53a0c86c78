"""What has been found, kept from one run to the next."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from mutants.mutant import Mutant
from mutants.noticing import Test
from mutants.run import KILLED, Outcome


class Results:
    """By mutant. One that was killed stays so; one that was not is asked again once its tests are others."""

    def __init__(self, path: Path, tree: Path) -> None:
        self.path, self.tree = path, tree
        self.known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self._hashes: dict[str, str] = {}

    def get(self, mutant: Mutant, tests: Sequence[Test]) -> Outcome | None:
        """What is known, None if nothing or of other tests."""
        asked, outcome = self.known.get(mutant.key, ("", None))
        if outcome is None or (outcome["end"] != KILLED and asked != self._asked(tests)):
            return None
        return Outcome(**outcome)

    def put(self, mutant: Mutant, tests: Sequence[Test], outcome: Outcome) -> None:
        """Keep it now, so that nothing is lost by Ctrl-C."""
        self.known[mutant.key] = self._asked(tests), outcome.as_data()
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps(self.known, indent=1), encoding="utf-8")
        os.replace(beside, self.path)

    def _asked(self, tests: Sequence[Test]) -> str:
        text = "\n".join(f"{one.name} {self._hash(one.name.partition('::')[0])}" for one in tests)
        return hashlib.sha256(text.encode()).hexdigest()

    def _hash(self, file: str) -> str:
        if file not in self._hashes:
            self._hashes[file] = hashlib.sha256((self.tree / file).read_bytes()).hexdigest()
        return self._hashes[file]
