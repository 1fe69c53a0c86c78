"""Modelica packages: models with connectors, units and parameters around our C, as external objects."""
