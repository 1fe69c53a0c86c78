"""Identification: the parameters at which a model does what was measured.

log = Log.read("zigzag.csv")
found = identify(
    Vessel3DOF.from_vehicle("otter"), log, inputs={"force[X]": "thrust", "force[N]": "moment"},
    outputs={"nu[u]": "u", "nu[r]": "r"}, parameters={"linear_damping[X,u]": None, "linear_damping[N,r]": (1, 500)},
)
print(found)
"""

from blocks.lab.identification.axes import Velocity
from blocks.lab.identification.between import Between
from blocks.lab.identification.candidates import Candidate, usual_candidates
from blocks.lab.identification.errors import IdentificationError, LogError
from blocks.lab.identification.figures import fit_figure, residual_figure
from blocks.lab.identification.file import Identification
from blocks.lab.identification.identify import identify
from blocks.lab.identification.log import Log
from blocks.lab.identification.outcome import Identified
from blocks.lab.identification.outlook import Outlook, Prospect, what_next

__all__ = [
    "Between",
    "Candidate",
    "Identification",
    "IdentificationError",
    "Identified",
    "Log",
    "LogError",
    "Outlook",
    "Prospect",
    "Velocity",
    "fit_figure",
    "identify",
    "residual_figure",
    "usual_candidates",
    "what_next",
]
