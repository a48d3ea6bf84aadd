"""A scene compiled to arrays: the constant System and the changing State."""

from granum.system.assembly import assemble
from granum.system.names import Names
from granum.system.system import State, System, compile_scene

__all__ = ["Names", "State", "System", "assemble", "compile_scene"]
