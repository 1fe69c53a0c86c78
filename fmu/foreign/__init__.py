"""FMUs that come from elsewhere: their description, their variables as ports, and instances that are stepped."""
