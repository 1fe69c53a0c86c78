"""Vessels: from force and current to motion. All have the same ports, so one can take another's place."""

from blocks.dynamics.floating_vehicle import FloatingVehicle
from blocks.dynamics.kinematic_vehicle import KinematicVehicle
from blocks.dynamics.nomoto import NomotoVessel
from blocks.dynamics.vessel import Vessel
from blocks.dynamics.vessel_3dof import Vessel3DOF
from blocks.dynamics.vessel_3dof_diagonal import DiagonalVessel3DOF
from blocks.dynamics.vessel_6dof import ComplexVessel6DOF, Vessel6DOF

__all__ = [
    "ComplexVessel6DOF",
    "DiagonalVessel3DOF",
    "FloatingVehicle",
    "KinematicVehicle",
    "NomotoVessel",
    "Vessel",
    "Vessel3DOF",
    "Vessel6DOF",
]
