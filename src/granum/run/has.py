"""What a run has: the questions that summaries, plots, exports and the page ask before they read it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from granum.base.errors import GranumError
from granum.io.runfile import Recording
from granum.model.bodies import Rigid
from granum.model.scene import Scene


@dataclass(frozen=True)
class Has:
    """What a run has, by name: `run.has.contacts` is true where contacts can be read."""

    bodies: bool
    """Bodies, grains or points with a position."""
    orientation: bool
    """Bodies or grains with an orientation and an angular velocity."""
    coordinates: bool
    """Generalised coordinates and their rates: a formulation of formulas solved it."""
    links: bool
    joints: bool
    """Joints, drives, rolling and other constraints with reactions."""
    reactions: bool
    """Recorded reactions of links, joints or constraints."""
    constraints: bool
    """Links, joints or constraint rows whose errors are recorded."""
    sections: bool
    """Force and moment across the cuts of section probes."""
    grains: bool
    """A solver of contacts ran it: bodies touch, and may enter and leave."""
    parts: bool
    """Grains that are parts of bodies, such as clumps."""
    contacts: bool
    """The contacts of every frame with their forces."""
    residual: bool
    """How well contact was solved: solvers with forces from overlaps, and those that locate events, cannot say."""
    rigidity: bool
    """Links of point masses, or contacts, whose rigid clusters can be found."""
    bonds: bool
    merging: bool
    """Clusters of grains that merge into one body."""

    def __str__(self) -> str:
        return ", ".join(field.name for field in fields(self) if getattr(self, field.name)) or "nothing"


_REMEDIES = {
    "bodies": "Give the scene bodies, or a system of formulas [system.points].",
    "orientation": "Rigid bodies, disks and spheres have one; point masses and points do not.",
    "coordinates": 'Run the scene with formulation = "fundamental", "lagrange", "gibbs-appell" or "virtual-work".',
    "links": "Give the scene [link.NAME].",
    "joints": "Give the scene [constraint.NAME].",
    "reactions": "Give the scene links, joints or other constraints.",
    "constraints": "Give the scene links, joints or other constraints.",
    "sections": 'Give the scene [probe.NAME] with kind = "section" and run it with newton-euler or moreau.',
    "grains": 'Give the scene grains or boundaries, or run it with solver = "moreau".',
    "parts": "Give the scene clumps, bonds or joints.",
    "contacts": 'Give the scene grains or boundaries, or run it with solver = "moreau".',
    "residual": 'Run the scene with solver = "moreau" or "unilateral".',
    "rigidity": "Rigid clusters are those of contacts, or of point masses and links.",
    "bonds": "Give the scene [bond.NAME] with among = a pattern or clump.",
    "merging": "Give the scene merge_clusters = true under [run].",
}
_OF_ARRAYS = {"coordinate": "coordinates", "rate": "coordinates", "constraint": "constraints", "contact": "contacts",
              "section": "sections", "body": "parts", "part": "parts", "bonds": "bonds", "log/bond": "bonds",
              "merged": "merging", "log/merge": "merging", "joint": "joints", "link": "reactions",
              "orientation": "orientation", "angular": "orientation"}
"""What a run without an array lacks, by the first word of its name."""


def find_out(recording: Recording, scene: Scene, links: int, joints: int) -> Has:
    """What a recording has, whose scene has so many links and joints."""
    arrays, metadata = recording.layout, recording.metadata
    grains = "grains" in metadata
    contacts = grains and arrays["contact_pair"][0][0] > 0
    rigid = any(isinstance(body, Rigid) for body in scene.body.values())
    return Has(
        bodies=arrays["position"][0][1] > 0 or "body_count" in arrays,
        orientation=grains or rigid,
        coordinates="coordinate" in arrays, links=links > 0, joints=joints > 0, reactions=links + joints > 0,
        constraints=bool(metadata["rows"]) if "rows" in metadata else
        links + joints > 0 and "constraint_error" in arrays,
        sections=bool(metadata.get("section_probes")), grains=grains,
        parts="body_count" in arrays, contacts=contacts,
        residual=metadata.get("contact_tolerance") is not None,
        rigidity=contacts or (links > 0 and not {"grains", "bodies"} & metadata.keys()),
        bonds="bonds_left" in arrays, merging="merged" in arrays)


def lacking(what: str, has: Has) -> GranumError:
    """The refusal of what a run does not have: what it has, and what would give it."""
    if what == "contacts" and has.grains:
        return GranumError("The network of contacts is too large to be recorded in this run. Record fewer frames, with "
                           "a longer interval under [run].")
    return GranumError(f"This run has no {what}. It has {has}. {_REMEDIES[what]}")


def lacking_array(name: str, has: Has) -> GranumError:
    """The same for an array of the recording."""
    return lacking(next((what for word, what in _OF_ARRAYS.items() if name.startswith(word)), "grains"), has)
