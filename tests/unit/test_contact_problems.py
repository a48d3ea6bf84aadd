"""Contact problems that are given by W, q and μ: read in every layout, solved by every solver, and refused by name."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix

from commands import granum
from granum.base.choices import CONTACT_METHODS
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.contact import ContactProblem, load_problem, solve_problem
from granum.contact.conic.cone import project
from granum.contact.conic.problem import checked
from granum.contact.conic.solvers import SOLVERS
from messages import refused, says

COUPLED = np.array([[15.0, -1.0, -2.0], [-1.0, 14.0, 1.0], [-2.0, 1.0, 16.0]])
FLAT = np.array([[0.01344, -9.421e-07, 0.001486], [-9.421e-07, 0.1061, 0.0001733], [0.001486, 0.0001733, 0.001442]])
ANSWERS = [
    (np.eye(9), np.tile([-1.0, 1.0, 3.0], 3), np.full(3, 0.1), np.tile([1.0, -0.1 / 10**0.5, -0.3 / 10**0.5], 3)),
    (COUPLED, np.array([-1.0, 2.0, 3.0]), np.array([0.1]),
     np.array([0.065695682897738, -0.003678614906807, -0.005443070813559])),
    (FLAT, np.array([-0.1458, -0.2484, -0.1515]), np.array([0.6]),
     np.array([10.20587605569539, 1.931888367688418, 5.810798010420609])),
]
"""Problems of one contact, or of several that do not meet, with their closed forms: u_N = 0, |r_T| = μ r_N, and r_T
against u_T. The first is slip with W = 1: r_N = 1 and r_T = -μ (1, 3)/√10."""
SAMPLES = os.environ.get("GRANUM_CONTACT_PROBLEMS", "")


def problem_of(W: Floats, q: Floats, mu: Floats, dimension: int = 3) -> ContactProblem:
    """A problem of dense numbers."""
    return ContactProblem(csr_matrix(W), np.asarray(q, float), np.asarray(mu, float), dimension)


def made_up(rng: np.random.Generator, contacts: int, dimension: int,
            skew: float = 0.0) -> tuple[ContactProblem, Floats]:
    """A problem with a known solution: r and u are chosen by the law, then q = u - W r.

    Contacts take off, stick and slip in turn. W is well conditioned and friction small, so that there is one solution.
    """
    size = contacts * dimension
    A, S = rng.normal(size=(size, size)), rng.normal(size=(size, size))
    W = np.eye(size) + 0.2 * A @ A.T / size + skew * (S - S.T) / size**0.5
    mu, r, u = rng.uniform(0.1, 0.3, contacts), np.zeros((contacts, dimension)), np.zeros((contacts, dimension))
    for c in range(contacts):
        across = rng.normal(size=dimension - 1)
        across /= np.linalg.norm(across)
        if c % 3 == 0:
            u[c] = [rng.uniform(0.1, 1.0), *rng.normal(size=dimension - 1)]
        else:
            r[c, 0] = rng.uniform(0.1, 1.0)
            r[c, 1:] = mu[c] * r[c, 0] * across * (1.0 if c % 3 == 1 else 0.5)
            u[c, 1:] = -across * rng.uniform(0.1, 1.0) if c % 3 == 1 else 0.0
    return problem_of(W, u.ravel() - W @ r.ravel(), mu, dimension), r.ravel()


def four_legs() -> ContactProblem:
    """A table of mass 1 on four legs, pushed sideways by less than friction bears: W has rank 6 of 12."""
    feet = [(x, y, -0.5) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    H = []
    for x, y, z in feet:
        cross = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])  # ω × r
        H += [np.r_[np.eye(3)[axis], cross[axis]] for axis in (2, 0, 1)]
    Ht = np.array(H)
    return problem_of(Ht @ Ht.T, Ht @ np.array([0.1, 0.05, -1.0, 0.0, 0.0, 0.0]), np.full(4, 0.5))


# ---- solutions


def test_all_names_have_a_solver() -> None:
    assert list(CONTACT_METHODS) == list(SOLVERS)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("case", range(len(ANSWERS)))
def test_closed_forms(case: int, solver: str) -> None:
    """To 1e-10: the error of r is at most about the residual times |q|/λ_min(W), 260 times it in the last one."""
    W, q, mu, r = ANSWERS[case]
    found = solve_problem(problem_of(W, q, mu), solver, 1e-13, seconds=1.0)
    assert_allclose(found.r, r, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("dimension", "skew"), [(2, 0.0), (3, 0.0), (3, 0.1)])
def test_solutions_that_were_made_up(dimension: int, skew: float, solver: str) -> None:
    """Take-off, stick and slip together, also with a W that is not symmetric; eigenvalues are near 1 as r is to u."""
    problem, r = made_up(np.random.default_rng(3), 12, dimension, skew)
    assert problem.residual(r) < 1e-15
    found = solve_problem(problem, solver, 1e-12)
    assert found.converged
    assert_allclose(found.r, r, rtol=0.0, atol=1e-10)
    assert_allclose(found.u, problem.W @ r + problem.q, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_table_on_four_legs(solver: str) -> None:
    """Forces of the legs are not unique, but it stays at rest: u = 0 at all feet, and their sum bears its weight."""
    problem = four_legs()
    assert problem.rank == 6
    found = solve_problem(problem, solver, 1e-12)
    assert found.converged
    assert_allclose(found.u, 0.0, atol=1e-11)
    assert_allclose(found.r.reshape(4, 3).sum(axis=0), [1.0, -0.1, -0.05], atol=1e-11)


def test_a_single_contact_is_exact() -> None:
    """The local solution is no iteration over contacts: one sweep is enough, to rounding, whatever W couples."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        problem, r = made_up(rng, 2, 3)
        one = problem_of(problem.W.toarray()[3:, 3:], (problem.W @ r + problem.q)[3:]
                         - problem.W.toarray()[3:, 3:] @ r[3:], problem.mu[1:])
        found = solve_problem(one, "nsgs", 1e-13)
        assert found.iterations <= 2 and found.converged
        assert_allclose(found.r, r[3:], rtol=0.0, atol=1e-13)


def test_projection() -> None:
    """y = P_K(y) + P_K°(y), orthogonal, with K° the polar cone (Moreau 1962)."""
    rng = np.random.default_rng(7)
    for y, mu in zip(rng.normal(size=(200, 3)), rng.uniform(0.0, 2.0, 200), strict=True):
        p = np.array(project(*y, mu))
        rest = y - p
        # a few roundings of numbers up to 10
        assert np.hypot(p[1], p[2]) <= mu * p[0] + 1e-14
        assert mu * np.hypot(rest[1], rest[2]) <= -rest[0] + 1e-14
        assert abs(p @ rest) < 1e-14


def test_the_residual_is_that_of_the_natural_map() -> None:
    """r = 0 under an approach of 1 at W = 1, frictionless: r - max(0, r - u) = -1, over |q| = 1."""
    one = problem_of(np.eye(3), np.array([-1.0, 0.0, 0.0]), np.array([0.0]))
    assert one.residual(np.zeros(3)) == 1.0
    assert one.residual(np.array([1.0, 0.0, 0.0])) == 0.0
    assert one.residual(np.array([0.75, 0.0, 0.0])) == 0.25


def test_no_contacts_and_no_velocity() -> None:
    none = problem_of(np.zeros((0, 0)), np.zeros(0), np.zeros(0))
    assert none.rank == 0 and solve_problem(none).converged
    still = problem_of(np.eye(3), np.zeros(3), np.array([0.5]))
    assert_array_equal(solve_problem(still).r, 0.0)


def test_what_has_no_solution_is_not_called_solved() -> None:
    """A contact without mass on either side that approaches: nothing can stop it."""
    wedged = problem_of(np.zeros((3, 3)), np.array([-1.0, 0.0, 0.0]), np.array([0.5]))
    found = solve_problem(wedged, "nsgs", seconds=0.05)
    assert not found.converged and found.residual == 1.0


def test_settings_are_refused() -> None:
    one = problem_of(np.eye(3), np.zeros(3), np.array([0.5]))
    with refused(GranumError, "nsgss", "nsgs"):
        solve_problem(one, "nsgss")
    with refused(GranumError, "tolerance", "0"):
        solve_problem(one, tolerance=0.0)


# ---- files


def write_matrix(group: Any, name: str, matrix: Any, storage: str) -> None:
    """A matrix in one of the three layouts of FCLIB."""
    own, triplets = group.create_group(name), coo_matrix(matrix)
    made: Any = {"csr": csr_matrix, "csc": csc_matrix, "triplets": coo_matrix}[storage](matrix)
    nz = {"csr": -2, "csc": -1, "triplets": triplets.nnz}[storage]
    for key, value in (("m", made.shape[0]), ("n", made.shape[1]), ("nzmax", made.nnz), ("nz", nz)):
        own[key] = np.array([value], np.int32)
    own["x"] = made.data
    own["p"], own["i"] = (made.row, made.col) if storage == "triplets" else (made.indptr, made.indices)


def write_local(file: Path, problem: ContactProblem, storage: str = "csr", **more: Any) -> Path:
    with h5py.File(file, "w") as written:
        local = written.create_group("fclib_local")
        local["spacedim"] = np.array([problem.dimension], np.int32)
        write_matrix(local, "W", problem.W, storage)
        for name in ("V", "R"):
            if name in more:
                write_matrix(local, name, more[name], storage)
        for name, values in {"q": problem.q, "mu": problem.mu, **more.get("vectors", {})}.items():
            local[f"vectors/{name}"] = values
    return file


def dense_text(W: Floats) -> str:
    return f"0\n{len(W)}\n{W.shape[1]}\n{len(W)} {W.shape[1]}\n" + " ".join(map(repr, W.T.ravel().tolist()))


def block_text(W: Floats) -> str:
    n = len(W) // 3
    ends, blocks = " ".join(str(3 * k + 3) for k in range(n)), []
    for k in range(n * n):
        own = W[3 * (k // n) : 3 * (k // n) + 3, 3 * (k % n) : 3 * (k % n) + 3]
        blocks.append(f"{k}\n" + "\n".join(map(repr, own.T.ravel().tolist())))
    firsts, others = " ".join(str(n * k) for k in range(n + 1)), " ".join(str(k % n) for k in range(n * n))
    head = [1, 3 * n, 3 * n, n * n, n, n, ends, ends, n + 1, n * n, firsts, others]
    return "\n".join([*map(str, head), *blocks])


def printed_text(kind: int, W: Floats) -> str:
    """What CSparse prints; kind 3 is the transposed matrix by columns."""
    made = csc_matrix(W.T if kind == 3 else W)
    head = f"2\n{len(W)}\n{W.shape[1]}\n{kind}\nCSparse Version 3.1.9, a line that says so\n"
    size = f"{made.shape[0]}-by-{made.shape[1]}, nzmax: {made.nnz} nnz: {made.nnz}, 1-norm: 1\n"
    if kind == 1:
        each = coo_matrix(W)
        return f"{head}triplet: {size}" + "\n".join(
            f"    {i} {j} : {x!r}" for i, j, x in zip(each.row, each.col, each.data.tolist(), strict=True))
    lines = []
    for column in range(made.shape[1]):
        begin, end = made.indptr[column], made.indptr[column + 1]
        lines.append(f"    col {column} : locations {begin} to {end - 1}")
        lines += [f"      {made.indices[k]} : {made.data[k].item()!r}" for k in range(begin, end)]
    return head + size + "\n".join(lines)


TEXTS: dict[str, Callable[[Floats], str]] = {
    "dense": dense_text, "blocks": block_text,
    "triplets": lambda W: printed_text(1, W), "columns": lambda W: printed_text(2, W),
    "rows": lambda W: printed_text(3, W)}


def text_of(problem: ContactProblem, storage: str) -> str:
    numbers = "\n".join(" ".join(map(repr, values.tolist())) for values in (problem.q, problem.mu))
    return f"3\n{problem.contacts}\n{TEXTS[storage](problem.W.toarray())}\n{numbers}\n0\n"


@pytest.fixture
def three() -> ContactProblem:
    """Three contacts, W not symmetric."""
    return made_up(np.random.default_rng(11), 3, 3, skew=0.2)[0]


def same(found: ContactProblem, problem: ContactProblem, tolerance: float = 0.0) -> None:
    assert_allclose(found.W.toarray(), problem.W.toarray(), rtol=0.0, atol=tolerance)
    assert_allclose(found.q, problem.q, rtol=0.0, atol=tolerance)
    assert_array_equal(found.mu, problem.mu)


@pytest.mark.parametrize("storage", ["csr", "csc", "triplets"])
def test_local_problems_in_hdf5(three: ContactProblem, storage: str, tmp_path: Path) -> None:
    same(load_problem(write_local(tmp_path / "p.hdf5", three, storage)), three)


@pytest.mark.parametrize("storage", TEXTS)
def test_local_problems_as_text(three: ContactProblem, storage: str, tmp_path: Path) -> None:
    (tmp_path / "p.dat").write_text(text_of(three, storage))
    same(load_problem(tmp_path / "p.dat"), three)


def test_a_problem_that_is_saved_is_read_again(three: ContactProblem, tmp_path: Path) -> None:
    solved = solve_problem(three)
    whole = ContactProblem(three.W, three.q, three.mu, 3, "three", solved.r, solved.u)
    whole.save(tmp_path / "p.hdf5", "three", "of a test")
    found = load_problem(tmp_path / "p.hdf5")
    same(found, three)
    assert_array_equal(found.r, solved.r)
    assert_array_equal(found.u, solved.u)


def test_equality_rows_are_eliminated(three: ContactProblem, tmp_path: Path) -> None:
    """u = W r + V λ + q with Vᵀ r + R λ + s = 0 for any r."""
    rng = np.random.default_rng(13)
    V, R, s, r = rng.normal(size=(9, 2)), np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([0.5, -1.0]), rng.normal(size=9)
    found = load_problem(write_local(tmp_path / "p.hdf5", three, V=V, R=R, vectors={"s": s}))
    multipliers = -np.linalg.solve(R, V.T @ r + s)
    assert_allclose(found.W @ r + found.q, three.W @ r + V @ multipliers + three.q, atol=1e-13)


@pytest.mark.parametrize("equalities", [False, True])
def test_global_problems(equalities: bool, tmp_path: Path) -> None:
    """M v = H r + G λ + f, Gᵀ v + b = 0, u = Hᵀ v + w for any r."""
    rng = np.random.default_rng(17)
    A = rng.normal(size=(8, 8))
    M, H, G = A @ A.T + 8.0 * np.eye(8), rng.normal(size=(8, 4)), rng.normal(size=(8, 2)) * equalities
    f, w, b, r = rng.normal(size=8), rng.normal(size=4), rng.normal(size=2), rng.normal(size=4)
    with h5py.File(tmp_path / "p.hdf5", "w") as written:
        whole = written.create_group("fclib_global")
        whole["spacedim"] = np.array([2], np.int32)
        for name, matrix in (("M", M), ("H", H), *((("G", G),) if equalities else ())):
            write_matrix(whole, name, matrix, "csc")
        for name, values in (("f", f), ("w", w), ("b", b), ("mu", np.array([0.1, 0.2]))):
            whole[f"vectors/{name}"] = values
    found = load_problem(tmp_path / "p.hdf5")
    if equalities:
        K = np.block([[M, -G], [G.T, np.zeros((2, 2))]])
        v = np.linalg.solve(K, np.r_[H @ r + f, -b])[:8]
    else:
        v = np.linalg.solve(M, H @ r + f)
    assert found.dimension == 2 and found.contacts == 2
    assert_allclose(found.W @ r + found.q, H.T @ v + w, atol=1e-12)


def test_global_problems_as_text(tmp_path: Path) -> None:
    """The same without equality rows; the text says M and H one after the other."""
    rng = np.random.default_rng(19)
    M, H, f, w, r = (np.diag(rng.uniform(1.0, 2.0, 6)), rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=3),
                     rng.normal(size=3))
    numbers = "\n".join(" ".join(map(repr, values.tolist())) for values in (f, w, np.array([0.3])))
    (tmp_path / "p.dat").write_text(f"3\n1\n{dense_text(M)}\n{printed_text(1, H)}\n{numbers}\n")
    found = load_problem(tmp_path / "p.dat")
    assert_allclose(found.W @ r + found.q, H.T @ np.linalg.solve(M, H @ r + f) + w, atol=1e-13)


TEXT_MISTAKES = [
    ("x", "3\n", "x\n", ("p.dat:1", "x", "integer")),
    ("dimension", "3\n", "5\n", ("p.dat:1", "5", "2 or 3", "rolling friction")),
    ("storage", "\n0\n9", "\n7\n9", ("p.dat:3", "7", "0", "dense")),
    ("size", "9 9\n", "9 8\n", ("p.dat:6", "9 × 8", "9 × 9")),
    ("number", "9 9\n", "9 9\nnone ", ("p.dat:7", "none", "number")),
]


@pytest.mark.parametrize(("old", "new", "names"), [case[1:] for case in TEXT_MISTAKES],
                         ids=[case[0] for case in TEXT_MISTAKES])
def test_mistakes_in_texts(three: ContactProblem, old: str, new: str, names: tuple[str, ...], tmp_path: Path) -> None:
    text = text_of(three, "dense")
    assert old in text
    (tmp_path / "p.dat").write_text(text.replace(old, new, 1))
    with refused(GranumError, *names):
        load_problem(tmp_path / "p.dat")


@pytest.mark.parametrize("storage", TEXTS)
def test_texts_that_are_cut_off(three: ContactProblem, storage: str, tmp_path: Path) -> None:
    text = text_of(three, storage)
    (tmp_path / "p.dat").write_text(text[: len(text) // 2])
    with refused(GranumError, "p.dat"):
        load_problem(tmp_path / "p.dat")


def damage(file: Path, key: str, values: Any) -> None:
    with h5py.File(file, "a") as changed:
        del changed[key]
        if values is not None:
            changed[key] = values


FILE_MISTAKES = {
    "missing": ("fclib_local/vectors/mu", None, ("/fclib_local/vectors/mu", "missing", "q")),
    "dimension": ("fclib_local/spacedim", np.array([4], np.int32), ("/fclib_local/spacedim", "4", "2 or 3")),
    "short": ("fclib_local/vectors/q", np.zeros(8), ("/fclib_local/vectors/q", "8", "9")),
    "text": ("fclib_local/W/m", np.array([b"nine"]), ("/fclib_local/W/m", "integer")),
    "column": ("fclib_local/W/i", np.full(81, 9, np.int32), ("/fclib_local/W/i", "9", "0 to 8")),
    "pointer": ("fclib_local/W/p", np.arange(10, dtype=np.int32)[::-1].copy(), ("/fclib_local/W/p", "0")),
    "storage": ("fclib_local/W/nz", np.array([-3], np.int32), ("/fclib_local/W", "-3", "-2", "-1")),
    "entries": ("fclib_local/W/x", np.zeros(0), ("/fclib_local/W/x", "81")),
    "nan": ("fclib_local/vectors/q", np.full(9, np.nan), ("p.hdf5", "q", "finite")),
    "friction": ("fclib_local/vectors/mu", np.array([0.1, -0.1, 0.1]), ("p.hdf5", "mu", "contact 1", "-0.1")),
}


@pytest.mark.parametrize("mistake", FILE_MISTAKES)
def test_mistakes_in_hdf5(three: ContactProblem, mistake: str, tmp_path: Path) -> None:
    key, values, names = FILE_MISTAKES[mistake]
    damage(write_local(tmp_path / "p.hdf5", three), key, values)
    with refused(GranumError, *names):
        load_problem(tmp_path / "p.hdf5")


def test_files_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "p.hdf5").write_text("3 1 0")
    (tmp_path / "p.csv").write_text("3 1 0")
    with h5py.File(tmp_path / "q.hdf5", "w") as other:
        other["positions"] = np.zeros(3)
    for name, names in (("p.hdf5", ("p.hdf5", "HDF5")), ("p.csv", ("p.csv", ".dat")), ("no.dat", ("no.dat",)),
                        ("q.hdf5", ("q.hdf5", "positions", "fclib_local"))):
        with refused(GranumError, *names):
            load_problem(tmp_path / name)


def test_parts_that_do_not_fit() -> None:
    with refused(GranumError, "W", "3 × 3", "6 × 6"):
        checked(problem_of(np.eye(3), np.zeros(6), np.zeros(2)))


# ---- the command


def test_the_command(three: ContactProblem, tmp_path: Path) -> None:
    three.save(tmp_path / "p.hdf5")
    told = granum("contact", "p.hdf5", "--solver", "newton", folder=tmp_path)
    assert told.returncode == 0
    for part in ("contacts     3", "rank of W    9 of 9", "newton", "residual", "iterations", "CPU seconds"):
        assert part in told.stdout
    told = granum("contact", "p.hdf5", "--tolerance", "1e-12", "--json", folder=tmp_path)
    found = json.loads(told.stdout)
    assert found["converged"] and found["residual"] <= 1e-12 and found["contacts"] == 3 and found["rank"] == 9
    assert three.residual(np.array(found["r"])) == found["residual"]


def test_the_command_fails_where_nothing_is_solved(tmp_path: Path) -> None:
    problem_of(np.zeros((3, 3)), np.array([-1.0, 0.0, 0.0]), np.array([0.5])).save(tmp_path / "p.hdf5")
    told = granum("contact", "p.hdf5", "--solver", "nsgs", "--seconds", "0.01", folder=tmp_path)
    assert told.returncode == 1
    assert "Not solved" in told.stdout and "rank of W    0 of 3" in told.stdout
    told = granum("contact", "none.dat", folder=tmp_path)
    assert told.returncode == 2
    says(told.stderr, "none.dat")


# ---- problems of the collection, where they are at hand


@pytest.mark.skipif(not SAMPLES, reason="problems of FCLIB: name their folder in GRANUM_CONTACT_PROBLEMS")
def test_samples_of_the_collection() -> None:
    files = sorted(file for file in Path(SAMPLES).iterdir() if file.suffix in (".hdf5", ".dat"))
    assert files
    for file in files:
        assert solve_problem(load_problem(file), tolerance=1e-8, seconds=60.0).converged, file.name
