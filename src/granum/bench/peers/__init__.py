"""Other multibody programs on the chain benchmark, each used the way its expert would to be fast.

No peer is required: each is imported only when it is asked for, and `version` is None where it is missing.
"""

from granum.bench.comparison import Peer
from granum.bench.peers.drake import Drake
from granum.bench.peers.exudyn import Exudyn
from granum.bench.peers.mujoco import MuJoCo
from granum.bench.peers.pinocchio import Pinocchio

PEERS: tuple[Peer, ...] = (MuJoCo(), Pinocchio(), Exudyn(), Drake())
