"""An estimate: its value, where it comes from, and how far it may be off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

REFERENCES = {
    "given": "given on the command line of keelblocks new",
    "chosen": "Keelblocks, chosen as the note says; nothing was measured",
    "estimate_fossen": (
        "Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 3.3 and 4.3 (radii of "
        "gyration, metacentric heights)"
    ),
    "estimate_ittc57": "ITTC (1957), 8th International Towing Tank Conference, C_F = 0.075/(lg Re - 2)^2",
    "estimate_hoerner": "Hoerner (1965), Fluid-Dynamic Drag, ch. 3, 6 and 13 (cross flow, streamlined bodies, "
    "blunt bodies)",
    "estimate_soding": "Soding (1982), Prediction of Ship Steering Capabilities, Schiffstechnik 29(1), 3-29",
    "estimate_newman": "Newman (1977), Marine Hydrodynamics, sec. 4.13 to 4.15 (sections by strips), after Lewis "
    "(1929)",
    "estimate_clarke": (
        "Clarke, Gedling and Hine (1983), The application of manoeuvring criteria in hull design using linear theory, "
        "Trans. RINA 125, 45-68"
    ),
    "estimate_holtrop": (
        "ITTC (1957), C_F = 0.075/(lg Re - 2)^2; Holtrop (1984), A statistical re-analysis of resistance and "
        "propulsion data, International Shipbuilding Progress 31, 272-276 (1 + k), and Holtrop and Mennen (1982), "
        "the same 29, 166-170 (surface)"
    ),
    "estimate_lewis": (
        "Lewis (1929), The inertia of the water surrounding a vibrating ship, Trans. SNAME 37, 1-20, by strips"
    ),
    "estimate_munro_smith": (
        "Morrish (KB) and Munro-Smith (water plane), as in Fossen (2021), Handbook of Marine Craft Hydrodynamics and "
        "Motion Control, 2nd ed., eq. 4.37 and 4.38; C_wp: Schneekluth and Bertram (1998), ch. 2"
    ),
    "estimate_wageningen": (
        "Oosterveld and van Oossanen (1975), Further computer-analyzed data of the Wageningen B-screw series, "
        "International Shipbuilding Progress 22, 251-262"
    ),
    "estimate_taylor": "Taylor (1943), The Speed and Power of Ships (wake)",
    "estimate_deduction": "t = 0.6 w: the mean of Schoenherr's k, Principles of Naval Architecture (1988), vol. II, as "
    "quoted from memory, not checked",
    "estimate_rudder": "Det Norske Veritas, as in Bertram (2000), Practical Ship Hydrodynamics, ch. 5",
    "estimate_fujii": "Fujii and Tsuda (1961), Experimental researches on rudder performance, J. Soc. Naval Architects "
    "of Japan 110",
    "estimate_lamb": "Lamb (1932), Hydrodynamics, 6th ed., sec. 114 and 373; Imlay (1961), DTMB report 1528 "
    "(spheroids)",
    "estimate_prestero": "Prestero (2001), Verification of a Six-Degree of Freedom Simulation Model, MIT, ch. 4 "
    "(fins, hull lift)",
    "estimate_dnv": "DNV (2017), RP-N103, Modelling and analysis of marine operations, table A-2 and sec. 3.3.4",
    "thrust_at_top_speed": "thrust and top speed as given on the command line: they balance",
}
"""What stands in the vehicle file under `references`, of those that it cites."""


@dataclass(frozen=True)
class Estimate:
    """A parameter: its value in SI, its unit where it has one, the key of its source, and what to know of it.

    error: by how much it may be off, in words that begin with ±, or nothing.
    """

    value: object
    unit: str
    source: str
    note: str = ""
    error: str = ""

    @property
    def told(self) -> str:
        """The note with the error."""
        return "; ".join(part for part in (self.note, f"likely within {self.error}" if self.error else "") if part)


@dataclass(frozen=True)
class Estimated:
    """A vehicle that was estimated: what stands in its file, and what to measure first."""

    kind: str
    title: str
    description: str
    validity: str
    dimensions: Mapping[str, float]
    sections: Mapping[str, tuple[str, Mapping[str, Estimate]]]
    """Type of block and parameters by section."""
    measure: Mapping[str, str]
    """What to measure by what it narrows, the most useful first."""
    cruise: float
    """A speed to go on missions with, m/s."""


def diagonal(*values: float) -> dict[str, list[float]]:
    """A diagonal matrix, to five digits."""
    return {"diag": [digits(value) for value in values]}


def digits(value: float, count: int = 5) -> float:
    """A number to some digits: an estimate has no more."""
    return float(f"{value:.{count}g}")
