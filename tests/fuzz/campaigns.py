"""All campaigns, by name."""

from tests.fuzz.expressions import EXPRESSIONS
from tests.fuzz.faults import DISK_FAULTS
from tests.fuzz.growing import GROWING
from tests.fuzz.kills import KILLS
from tests.fuzz.live import LIVE
from tests.fuzz.pipe_inputs import PIPE_INPUTS
from tests.fuzz.run_files import RUN_FILES
from tests.fuzz.scene_files import SCENES
from tests.fuzz.threads import THREADS

CAMPAIGNS = {campaign.name: campaign for campaign in (
    SCENES, PIPE_INPUTS, EXPRESSIONS, RUN_FILES, KILLS, DISK_FAULTS, GROWING, LIVE, THREADS)}
