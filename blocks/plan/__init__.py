"""From a diagram to numbers: what an engine runs, in Python, in an FMU or in a swarm.

`plan.make_plan` calls the passes in turn. Each has a file of its own and gives what it was given, with what it found:

| pass | gives | which adds |
|---|---|---|
| `flatten` | `Flat` | blocks by their dotted names, and what feeds each input |
| `sizes` | `Sized` | every size, as a number |
| `check` | `Checked` | the type of every output; wires and kernels fit |
| `rewrites` | `Rewritten` | loops that are opened, room to grow, outputs that stand within others |
| `order` | `Ordered` | the calls that evaluate it, in order |
| `memory_layout` | `MemoryLayout` | the place of every quantity among the values |
| `encode` | bytes | what the engine reads: a `Plan` is a layout with them |

Words that mean one thing here: a *leaf* is a block of the flattened diagram, a *node* one of its outputs, a *feed* what
an input reads, a *place* where the numbers of a quantity stand and what they are.
"""

from blocks.plan.plan import Plan, make_plan

__all__ = ["Plan", "make_plan"]
