"""Vehicles from a few numbers, by published estimates, each with how far it may be off."""

from blocks.ready.estimates.auv import auv
from blocks.ready.estimates.entry import Estimate, Estimated
from blocks.ready.estimates.rov import rov
from blocks.ready.estimates.ship import ship
from blocks.ready.estimates.usv import usv

__all__ = ["Estimate", "Estimated", "auv", "rov", "ship", "usv"]
