"""Run files: one HDF5 file per run that opens and resumes whatever happened to the process that wrote it.

`layout` says what a file holds, `writing` in which order it is written, `bookkeeping` and `reading` how it is opened,
`verified` how its rows are checked, `lock` who may write it, `provenance` where its numbers come from, `metadata`
what it says about itself, and what else is kept this way.
"""

from granum.io.runfile.layout import FORMAT, TRANSITIONS, Layout, Shape, with_slots
from granum.io.runfile.metadata import Format
from granum.io.runfile.reading import open_for_reading as open_run_file
from granum.io.runfile.recording import Arrays, Recording, RecordingInMemory, read_only
from granum.io.runfile.verification import Verification, verify_run_file
from granum.io.runfile.writing import RunFileWriter, create_run_file, resume_run_file

__all__ = ["FORMAT", "TRANSITIONS", "Arrays", "Format", "Layout", "Recording", "RecordingInMemory", "RunFileWriter",
           "Shape", "Verification", "create_run_file", "open_run_file", "read_only", "resume_run_file",
           "verify_run_file", "with_slots"]
