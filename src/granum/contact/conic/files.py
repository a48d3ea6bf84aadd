"""Contact problems from files, by the ending of their name."""

from __future__ import annotations

from pathlib import Path

from granum.base.errors import GranumError
from granum.contact.conic.problem import ContactProblem, checked

HDF5 = (".hdf5", ".h5", ".hdf")


def load_problem(path: str | Path) -> ContactProblem:
    """Read a contact problem of the FCLIB collection: 2-D or 3-D, local (W) or global (M, H, G).

    Args:
        path: an HDF5 file in the layout of FCLIB (.hdf5), or a text file of Siconos (.dat).

    >>> gr.contact.load_problem("missing.hdf5")
    Traceback (most recent call last):
    granum.base.errors.GranumError: missing.hdf5: there is no such file. ...
    """
    file = Path(path)
    if not file.is_file():
        raise GranumError(f"{file}: there is no such file. Give a contact problem (.hdf5 or .dat).")
    if file.suffix in HDF5:
        from granum.contact.conic.hdf5 import read_hdf5 as read
    elif file.suffix == ".dat":
        from granum.contact.conic.text import read_text as read
    else:
        raise GranumError(f'{file}: contact problems end in .hdf5 or .dat, not in "{file.suffix}".')
    return checked(read(file))
