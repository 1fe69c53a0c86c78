"""Vehicles: cited parameters of real craft, in the YAML files of this folder or of one's own."""

from blocks.vehicles.vehicle import check, describe, list_vehicles

__all__ = ["check", "describe", "list_vehicles"]
