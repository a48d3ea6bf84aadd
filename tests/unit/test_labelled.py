"""Runs as tables of pandas and labelled arrays of xarray: the numbers of the run under its names, with units."""

import sys

import numpy as np
import pytest

import granum as gr
from messages import refused
from scenes import pendulum

pd = pytest.importorskip("pandas")
xr = pytest.importorskip("xarray")


@pytest.fixture(scope="module")
def swung() -> gr.Run:
    return gr.simulate(pendulum(3), until=0.2, progress=False)


@pytest.fixture(scope="module")
def bounced() -> gr.Run:
    return gr.simulate(gr.example("bouncing-ball"), until=0.3, progress=False)


@pytest.fixture(scope="module")
def cranked() -> gr.Run:
    return gr.simulate(gr.example("slider-crank"), formulation="fundamental", until=0.1, progress=False)


def test_bodies_by_time_and_name(swung: gr.Run) -> None:
    table = swung.to_pandas()
    name = list(swung.body_names)[-1]
    assert table.index.names == ["t", "name"]
    assert (table.xs(name, level="name")[["x", "y"]].to_numpy() == swung.position(name)).all()
    assert (table.index.get_level_values("t").unique() == swung.t).all()
    assert table.attrs["units"]["x"] == "m" and table.attrs["units"]["vx"] == "m/s"


def test_tables_by_name(swung: gr.Run, cranked: gr.Run) -> None:
    energy = swung.to_pandas("energy")
    assert energy.index.name == "t"
    assert (energy["kinetic"].to_numpy() == swung.energy.kinetic).all()
    assert energy.attrs["units"]["kinetic"] == "J"
    links = swung.to_pandas("links")
    link = next(iter(swung.link_names))
    assert (links.xs(link, level="name")["tension"].to_numpy() == swung.tensions[:, 0]).all()
    assert list(links["first"])[:1] == [list(swung.body_names)[swung.link_ends[0, 0]]]
    reactions = cranked.to_pandas("reactions")
    assert (reactions["motor.torque"].to_numpy() == cranked.reaction("motor").effort).all()
    with refused(gr.GranumError, '"energies"', '"energy"'):
        swung.to_pandas("energies")


def test_grains_that_have_no_names(bounced: gr.Run) -> None:
    table = bounced.to_pandas()
    assert {"number", "group", "x", "y", "radius"} <= set(table.columns)
    assert set(table["group"]) == set(bounced.groups)
    assert (table["y"].to_numpy() == bounced.positions[:, 0, 1]).all()


def test_arrays_have_dimensions_and_units(swung: gr.Run, bounced: gr.Run, cranked: gr.Run) -> None:
    data = swung.to_xarray()
    name = list(swung.body_names)[-1]
    assert data["position"].dims == ("t", "body", "axis") and data["position"].attrs["units"] == "m"
    assert (data["position"].sel(body=name).to_numpy() == swung.position(name)).all()
    assert (data["tension"].to_numpy() == swung.tensions).all() and data["tension"].dims == ("t", "link")
    assert (data["energy kinetic"].to_numpy() == swung.energy.kinetic).all()
    assert "orientation" not in data and data.attrs["title"] == swung.scene.title
    ball = bounced.to_xarray()
    assert ball["angular_velocity"].dims == ("t", "body")
    assert (ball["orientation"].sel(body="ball").to_numpy() == bounced.orientation("ball")).all()
    crank = cranked.to_xarray()
    assert (crank["reactions motor.torque"].to_numpy() == cranked.reaction("motor").effort).all()
    coordinate = next(iter(cranked.coordinate_names))
    assert (crank[coordinate].to_numpy() == cranked.coordinate(coordinate)).all()
    assert np.isnan(crank["angular_velocity"].sel(body=[
        body for body in cranked.body_names if not cranked.has_orientation(body)])).all()


@pytest.mark.parametrize("library", ["pandas", "xarray"])
def test_a_missing_library_is_named_with_its_extra(
        library: str, swung: gr.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with refused(gr.GranumError, library, 'pip install "granum[study]"'):
        getattr(swung, f"to_{library}")()
