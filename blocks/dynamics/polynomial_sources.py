"""What the motion of a ship by derivatives depends on, element by element, from the names of its derivatives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from blocks.dynamics.derivatives import Term
from blocks.model.dependence import Pattern, Sources, between, rows

_VELOCITIES = {"u", "v", "p", "r"}


def scaling(system: str, terms: Iterable[Term]) -> set[str]:
    """The parameters that these terms are scaled by."""
    terms = list(terms)
    if not terms:
        return set()
    found = {
        "SI": set(), "prime_I": {"density", "length"}, "prime_II": {"density", "length", "draught"},
        "bis": {"mass", "length"},
    }[system]  # fmt: skip
    return found | {"correction"} | ({"draught", "water_depth"} if any(term.depth for term in terms) else set())


@dataclass(frozen=True)
class VesselSources:
    """Of one set of derivatives."""

    terms: tuple[Term, ...]
    rolls: bool
    system: str

    def feedthrough(self, output: str, usual: tuple[str, ...]) -> tuple[str, ...]:
        """Inputs that count at once."""
        sources = self.of_output(output)
        return usual if sources is None else tuple(name for name in usual if name in sources)

    @property
    def _axes(self) -> str:
        return "XYKN" if self.rolls else "XYN"

    def _of(self, axis: str, accelerations: bool) -> list[Term]:
        return [term for term in self.terms if term.axis == axis and bool(term.acceleration) == accelerations]

    def _damping(self, axis: str) -> tuple[set[str], set[str]]:
        """Variables of f_d, whose components are summed together, and parameters of one of them."""
        terms = self._of(axis, accelerations=False)
        variables: set[str] = set()
        for term in self.terms:
            variables |= set() if term.acceleration else term.variables
        parameters = scaling(self.system, terms)
        if self.system in ("prime_I", "prime_II"):
            variables |= {"u", "v"}
            parameters |= {"lowest_speed"} if terms else set()
        if any("u" in term.variables for term in terms):
            parameters |= {"reference_speed"}
        return self._with_current(variables), parameters

    def _with_current(self, variables: set[str]) -> set[str]:
        """Velocities through the water depend on the current, and on the attitude that turns it."""
        found = set(variables)
        if found & {"u", "v"}:
            found |= {"current", "psi"}
        if "v" in found and self.rolls:
            found |= {"phi"}
        return found

    def _turning(self, axis: str) -> tuple[set[str], set[str]]:
        """Variables and parameters of a component of f_c: of C(ν_r) ν_r and of -M ν̇_c."""
        mass: dict[str, set[str]] = {
            "X": {"mass"}, "Y": {"mass"}, "K": {"mass", "centre_of_gravity"}, "N": {"mass", "centre_of_gravity"},
        }  # fmt: skip
        added = [term for term in self._of(axis, accelerations=True) if term.acceleration in "uv"]
        parameters = mass[axis] | scaling(self.system, added)
        current = {"r", "current", "psi"} | ({"phi"} if self.rolls else set())
        if axis == "X":
            own = {"v", "r"} | ({"p"} if self.rolls else set())
            parameters |= {"centre_of_gravity"}
        else:
            own = {"u", "r"}
            current |= {"p"} if self.rolls else set()
        return current | self._with_current(own), parameters | {"coriolis"}

    def _righting(self, axis: str) -> tuple[set[str], set[str]]:
        return ({"phi"}, {"mass", "metacentric_height"}) if axis == "K" else (set(), set())

    def _acceleration(self, axis: str) -> tuple[set[str], set[str]]:
        """Of what moves surge, or sway, roll and yaw together."""
        together = axis if axis == "X" else self._axes[1:]
        found: tuple[set[str], set[str]] = (set(), set())
        for one in together:
            for variables, parameters in (self._damping(one), self._turning(one), self._righting(one)):
                found = (found[0] | variables, found[1] | parameters)
            found[1].update(scaling(self.system, self._of(one, accelerations=True)) | {"mass"})
        if axis != "X":
            found[1].update({"centre_of_gravity", "yaw_inertia"} | ({"roll_inertia"} if self.rolls else set()))
        return found

    def of_output(self, output: str) -> Sources | None:
        """As a block says it."""
        labels = dict(zip("XYKN", ("X", "Y", "K", "N"), strict=True))
        if output == "nu_r":
            turned = {"u": "psi", "v": "psi phi" if self.rolls else "psi"}
            moving = "u v p r" if self.rolls else "u v r"
            return {
                "nu": between({label: label for label in moving.split()}),
                "current": between({"u v": "north east"}),
                "eta": between(turned),
            }
        if output == "restoring_force":
            return self._listed(labels, self._righting) if self.rolls else {}
        if output == "damping_force":
            return self._listed(labels, self._damping)
        if output == "coriolis_force":
            return self._listed(labels, self._turning)
        if output == "acceleration":
            return self._moved(("u_dot", "v_dot", "p_dot", "r_dot"))
        return None

    def of_state(self, state: str) -> Sources | None:
        """As a block says it."""
        if state == "nu":
            return self._moved(("u", "v", "p", "r"))
        moves = {"x y": "u v", "psi": "r"} | ({"phi": "p"} if self.rolls else {})
        turned = {"x y": "psi phi", "psi": "phi"} if self.rolls else {"x y": "psi"}
        found = {"nu": between(moves), "eta": between(turned)}
        return found | ({"current": between({"x y": "north east"})} if self.rolls else {})

    def _moved(self, names: tuple[str, str, str, str]) -> Sources:
        labels = dict(zip("XYKN", names, strict=True))
        found = dict(self._listed(labels, self._acceleration))
        together = " ".join(self._axes[1:])
        targets = " ".join(labels[axis] for axis in self._axes[1:])
        applied = between({labels["X"]: "X", targets: together})
        return found | {"force": applied, "disturbance": applied}

    def _listed(self, labels: dict[str, str], of: object) -> Sources:
        """Patterns by source, from variables and parameters by axis."""
        nu: dict[str, str] = {}
        eta: dict[str, str] = {}
        current: dict[str, str] = {}
        parameters: dict[str, list[str]] = {}
        for axis in self._axes:
            variables, given = of(axis)  # type: ignore[operator]
            label = labels[axis]
            if velocities := variables & _VELOCITIES:
                nu[label] = " ".join(sorted(velocities))
            if angles := variables & {"phi", "psi"}:
                eta[label] = " ".join(sorted(angles))
            if "current" in variables:
                current[label] = "north east"
            for name in given:
                parameters.setdefault(name, []).append(label)
        found: dict[str, Pattern] = {name: rows(" ".join(labels_)) for name, labels_ in parameters.items()}
        for name, pairs in (("nu", nu), ("eta", eta), ("current", current)):
            if pairs:
                found[name] = between(pairs)
        return found
