"""Other multibody programs on the chain benchmark, each used the way its expert would to be fast.

No peer is required: each is imported only when it is asked for, and `version` is None where it is missing.
"""

from benchmarks.comparison import Peer
from benchmarks.peers.drake import Drake
from benchmarks.peers.exudyn import Exudyn
from benchmarks.peers.mujoco import MuJoCo
from benchmarks.peers.pinocchio import Pinocchio

PEERS: tuple[Peer, ...] = (MuJoCo(), Pinocchio(), Exudyn(), Drake())
