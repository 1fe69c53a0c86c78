"""What blocks with derivatives have in common: their terms, and the sizes that follow from these."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.dynamics.derivatives import SYSTEMS, Term, read_term, rows_of, terms_of
from blocks.errors import ParameterError


class DerivativeSet:
    """Of blocks with the parameters `derivatives`, `correction` and `system`."""

    values: dict[str, Any]

    @property
    def terms_in_words(self) -> tuple[Term, ...]:
        """The derivatives, each with what it is multiplied by; none as long as none are given."""
        return terms_of(str(self.values["derivatives"])) if "derivatives" in self.values else ()

    def correction_of(self, name: str) -> str:
        """The element of `correction` that is the factor of a derivative: "correction[5]" of "Y_v".

        Raises ParameterError if the set does not have it.
        """
        known = [term.name for term in self.terms_in_words]
        wanted = read_term(name, 0.0, "correction").name
        if wanted not in known:
            raise ParameterError(f"there is no {wanted} in this set", code="unknown-key", wrong=wanted, valid=known)
        return f"correction[{known.index(wanted)}]"

    def resizable_sizes(self) -> dict[str, list[str]]:
        """None: the set decides them all."""
        return {}

    def known_sizes(self) -> dict[str, int]:
        """Rows of the table, those of them that are no accelerations, the system as a number, and derivatives.

        Raises ParameterError if there are not as many corrections as derivatives.
        """
        if "derivatives" not in self.values:
            return {}
        table, products = rows_of(str(self.values["derivatives"]))
        count, given = len(self.terms_in_words), np.shape(self.values.get("correction", 1.0))
        if given not in ((), (count,)):
            raise ParameterError(
                f"correction must be a single number or one for each of the {count} derivatives, not {given[0]} numbers"
            )
        return {"n": len(table), "m": products, "s": SYSTEMS.index(str(self.values["system"])), "k": count}
