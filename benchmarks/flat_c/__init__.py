"""What C for controllers takes on a Cortex-M4, and a mission with it in the loop."""
