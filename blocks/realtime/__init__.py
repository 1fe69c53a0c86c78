"""A run beside a clock: turns that are due, how late they were, what is attached, a plot that follows."""
