"""What the package offers, and where it stands."""

from .block import Block as Block
from .block import library as library
from .diagram import Diagram as Diagram
from .errors import KeelblocksError as KeelblocksError
from .errors import KeelblocksWarning as KeelblocksWarning
from .model.component import PortRef as PortRef
from .model.declare import Input as Input
from .model.declare import Output as Output
from .model.declare import Parameter as Parameter
from .model.declare import State as State
from .python_block import PythonBlock as PythonBlock
from .run.result import Result as Result
from .scenario import Scenario as Scenario
from .signal import Signal as Signal
from .simulation import RunInterrupted as RunInterrupted
from .simulation import RunStopped as RunStopped
from .simulation import simulate as simulate
from .simulator import Simulator as Simulator
from .swarm import Fleet as Fleet
from .swarm import Swarm as Swarm
