"""Numbers over time: one run, what it records, and what it says when it stops."""
