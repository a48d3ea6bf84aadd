"""Frames of a run for ParaView, VisIt and PyVista: a .pvd for each table, a .vtp for each of its frames."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.run.grain_result import in_space
from granum.view.export.columns import Column, Table, Tell
from granum.view.export.content import Content
from granum.view.stage import Stage
from granum.view.stage.poses import placed


def write_vtk(content: Content, folder: Path, t: Floats, frames: Sequence[int], tell: Tell) -> None:
    """A folder of files: `grains.pvd` names the times and files of `grains/0000.vtp` and so on."""
    pyvista = _pyvista()
    folder.mkdir()
    digits = len(str(max(frames)))
    series, solids = content.series(), Solids(content.stage)
    if solids.still:
        _write(solids.mesh(pyvista, frames[0], solids.still), folder / "boundaries.vtp")
    written: dict[str, list[tuple[float, str]]] = {}
    for done, index in enumerate(frames):
        tables = {**content.frame(index), **content.drawn(index)}
        meshes = {name: _mesh(pyvista, table) for name, table in tables.items()}
        _add_series(next(iter(meshes.values())), series, index)  # what is measured stands with what moves
        if solids.moving:
            meshes["solids"] = solids.mesh(pyvista, index, solids.moving)
        for name, mesh in meshes.items():
            mesh.field_data["TimeValue"] = np.array([t[index]])
            file = f"{name}/{index:0{digits}}.vtp"
            if name not in written:
                (folder / name).mkdir()
            _write(mesh, folder / file)
            written.setdefault(name, []).append((float(t[index]), file))
        tell(done + 1)
    for name, listed in written.items():
        (folder / f"{name}.pvd").write_text(collection(listed), "utf-8")


def _pyvista() -> Any:
    """PyVista, which is an extra."""
    try:
        import pyvista
    except ImportError:
        raise GranumError("VTK files need PyVista, which is not installed. Install it with pip install 'granum[view]', "
                          "or export csv or npz.") from None
    return pyvista


def collection(listed: Sequence[tuple[float, str]]) -> str:
    """Text of a .pvd: times and files."""
    sets = "".join(f'    <DataSet timestep="{t!r}" part="0" file={quoteattr(file)}/>\n' for t, file in listed)
    return f'<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1">\n  <Collection>\n{sets}' \
           "  </Collection>\n</VTKFile>\n"


def _mesh(pyvista: Any, table: Table) -> Any:
    """Points or lines with all columns of a table; names stand in the field data."""
    mesh = pyvista.PolyData()
    count = len(table)
    if table.ends is None:
        mesh.points = in_space(np.asarray(table["position"]))
        mesh.verts = np.column_stack([np.ones(count, np.int64), np.arange(count)]).ravel()
    else:
        mesh.points = table.ends.reshape(-1, 3)
        mesh.lines = np.column_stack([np.full(count, 2), np.arange(2 * count).reshape(-1, 2)]).ravel()
    data = mesh.GetPointData() if table.ends is None else mesh.GetCellData()
    for column in table.columns:
        if table.ends is not None or column.name != "position":
            # by VTK itself: PyVista takes no empty arrays, and a frame without contacts has their fields too
            data.AddArray(pyvista.convert_array(_values(column), name=column.name, deep=True))
        if len(column.labels):
            mesh.field_data[f"{column.name}_names"] = [*column.labels]
    if table.names:
        mesh.field_data["name"] = [*table.names]
    return mesh


class Solids:
    """Boundaries and bodies that are no balls, as triangles; in 2-D boundaries are lines."""

    def __init__(self, stage: Stage | None) -> None:
        self.stage = stage
        solids = [] if stage is None else list(enumerate(stage.solids))
        self.still = [k for k, solid in solids if solid.kind != "joint" and not solid.moves]
        self.moving = [k for k, solid in solids if solid.kind != "joint" and solid.moves]

    def mesh(self, pyvista: Any, index: int, places: list[int]) -> Any:
        """Some solids in a frame, as one mesh; cells say of which solid they are."""
        assert self.stage is not None
        poses, solids = self.stage.poses(index), self.stage.solids
        points, lines, faces, of_line, of_face, count = [np.zeros((0, 3))], [], [], [], [], 0
        for number, k in enumerate(places):
            shape = solids[k].mesh
            if not np.isfinite(poses[k]).all():  # a body that has left, or not come yet
                continue
            for part in (shape.vertices,) if len(shape.faces) else shape.lines:
                points.append(placed(poses[k], part))
                if len(shape.faces):
                    faces.append(np.insert(shape.faces + count, 0, 3, axis=1).ravel())
                    of_face += [number] * len(shape.faces)
                else:
                    lines.append(np.array([len(part), *range(count, count + len(part))]))
                    of_line.append(number)
                count += len(part)
        mesh = pyvista.PolyData()
        mesh.points = np.concatenate(points)
        if lines:
            mesh.lines = np.concatenate(lines)
        if faces:
            mesh.faces = np.concatenate(faces)
        owner = np.array(of_line + of_face, np.int64)  # VTK counts lines before faces
        mesh.GetCellData().AddArray(pyvista.convert_array(owner, name="solid", deep=True))
        mesh.field_data["solid_names"] = [solids[k].name for k in places]
        return mesh


def _values(column: Column) -> Any:
    """Values as VTK has them: vectors of 2-D with a third component."""
    values = np.ascontiguousarray(column.values)
    return in_space(values) if values.ndim == 2 and values.shape[1] == 2 else values


def _add_series(mesh: Any, series: dict[str, Table], index: int) -> None:
    """Energies, probes and coordinates of a frame as field data `energy/kinetic`."""
    for name, table in series.items():
        for column in table.columns:
            mesh.field_data[f"{name}/{column.name}"] = np.atleast_1d(column.values[index])


def _write(mesh: Any, file: Path) -> None:
    """Write points, lines or triangles to a .vtp, every number as it is."""
    from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

    writer = vtkXMLPolyDataWriter()
    writer.SetInputData(mesh)
    writer.SetFileName(str(file))
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()
    writer.SetCompressorTypeToLZ4()  # as fast as none; VTK's own choice is ten times slower and a fifth smaller
    if not writer.Write() or writer.GetErrorCode():
        code = writer.GetErrorCode()
        raise OSError(code, os.strerror(code)) if code else OSError(f"VTK could not write {file.name}")
