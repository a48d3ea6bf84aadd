"""All campaigns, by name."""

from tests.fuzz.drawn_scenes import DRAWN_SCENES
from tests.fuzz.expressions import EXPRESSIONS
from tests.fuzz.faults import DISK_FAULTS
from tests.fuzz.growing import GROWING
from tests.fuzz.kills import KILLS
from tests.fuzz.live import LIVE
from tests.fuzz.pipe_inputs import PIPE_INPUTS
from tests.fuzz.robots import ROBOTS
from tests.fuzz.run_files import RUN_FILES
from tests.fuzz.scene_files import SCENES
from tests.fuzz.study_files import STUDY_FILES
from tests.fuzz.threads import THREADS

CAMPAIGNS = {campaign.name: campaign for campaign in (
    SCENES, DRAWN_SCENES, ROBOTS, STUDY_FILES, PIPE_INPUTS, EXPRESSIONS, RUN_FILES, KILLS, DISK_FAULTS, GROWING, LIVE,
    THREADS)}
