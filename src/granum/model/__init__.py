"""What a system is: frozen, typed data. The same names build a scene in Python and in a file."""

from granum.model.actuators import *
from granum.model.body_entries import *
from granum.model.bonds import *
from granum.model.boundaries import *
from granum.model.clumps import *
from granum.model.connections import *
from granum.model.formulas import *
from granum.model.grains import *
from granum.model.kinds import Kind as Kind
from granum.model.kinds import all_entries as _all_entries
from granum.model.loads import *
from granum.model.materials import *
from granum.model.patterns import *
from granum.model.probes import *
from granum.model.quantities import Entry as Entry
from granum.model.regions import *
from granum.model.scene import *
from granum.model.settings import *
from granum.model.solids import *
from granum.model.start import *

_entries: list[type[Entry]] = [Entry, *_all_entries()]
__all__ = sorted(entry.__name__ for entry in _entries if not entry.__name__.startswith("_"))
