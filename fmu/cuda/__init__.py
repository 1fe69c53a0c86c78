"""Plans as CUDA C++: many members of a model, a thread for each."""
