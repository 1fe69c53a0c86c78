"""What a block and a diagram are. No numbers yet: everything here is imported before anything is compiled."""
