"""Every kernel against the same mathematics written by hand in plain C."""
