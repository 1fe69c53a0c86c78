"""Vessels: from force and current to motion. All have the same ports, so one can take another's place."""

from blocks.dynamics.vessel import Vessel
from blocks.dynamics.vessel_3dof import Vessel3DOF
from blocks.dynamics.vessel_3dof_diagonal import DiagonalVessel3DOF
from blocks.dynamics.vessel_6dof import Vessel6DOF

__all__ = ["DiagonalVessel3DOF", "Vessel", "Vessel3DOF", "Vessel6DOF"]
