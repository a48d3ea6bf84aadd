"""Single contacts: `granum reproduce single-contacts`."""

from __future__ import annotations

from granum.validation.case import Case, Figure, Sheet
from granum.validation.single_contacts.chung_ooi import (
    elastic_impacts,
    frictional_impacts,
    oblique_impacts,
    restitutions,
)
from granum.validation.single_contacts.on_dem import interaction_tests


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Impacts by three solvers, and prescribed motions by `soft`."""
    impacts = (elastic_impacts(sheet), restitutions(sheet, quick), oblique_impacts(sheet, quick))
    frictional_impacts(sheet, quick)
    motions = interaction_tests(sheet, quick)
    return [Figure("chung-ooi", "Impacts of single spheres (Chung and Ooi 2011)", impacts),
            Figure("on-dem", "Two spheres in prescribed motion (ON-DEM interaction tests)", motions, rows=2)]


CASE = Case("single-contacts", "impacts of one and two spheres, and two spheres in prescribed motion, by moreau, "
            "events and soft", "Chung and Ooi 2011; ON-DEM interaction tests", ("chung-ooi", "on-dem"), compute)
