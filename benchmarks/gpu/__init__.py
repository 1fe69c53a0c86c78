"""Many Otters on a GPU, and the same source on this processor."""
