"""Quantities with units: what is accepted, to the last digit, and what is refused with a sentence."""

import math

import pytest

from granum.base.units import EXAMPLES, si
from messages import refused

GIVEN = [
    (0.5, "m", 0.5),
    (3, "kg", 3.0),
    ("50 cm", "m", 0.5),
    (" 50cm ", "m", 0.5),
    ("+1.5e-3 km", "m", 1.5),
    (".5 m", "m", 0.5),
    ("-200 g", "kg", -0.2),
    ("10 ms", "s", 0.01),
    ("36 km/h", "m/s", 10.0),
    ("5 cm/s", "m/s", 0.05),
    ("9.81 m/s^2", "m/s^2", 9.81),
    ("9.81 m/s**2", "m/s^2", 9.81),
    ("1 N/cm", "N/m", 100.0),
    ("2 kN", "N", 2000.0),
    ("3 kg/s", "N*s/m", 3.0),
    ("0.1 N*s/m", "N*s/m", 0.1),
    ("180 deg", "rad", math.pi),
    ("180°", "rad", math.pi),
    ("30 rpm", "rad/s", math.pi),
    ("90 deg/s", "rad/s", math.pi / 2),
]


@pytest.mark.parametrize(("value", "unit", "expected"), GIVEN)
def test_quantities_become_si(value: object, unit: str, expected: float) -> None:
    """A conversion is one or two multiplications: two units in the last place."""
    assert si(value, unit) == pytest.approx(expected, rel=4e-16)


@pytest.mark.parametrize("unit", EXAMPLES)
def test_every_example_of_a_message_is_right_itself(unit: str) -> None:
    bare, _, quoted = EXAMPLES[unit].partition(" or ")
    assert math.isfinite(si(float(bare), unit))
    assert math.isfinite(si(quoted.strip('"'), unit))


@pytest.mark.parametrize("value", [True, None, [1.0], {"m": 1.0}, 1j, "", "m", "five m", "1 2 m", "1 m; 2"])
def test_what_is_not_a_quantity_is_refused(value: object) -> None:
    with refused(ValueError, '0.5 or "50 cm"'):
        si(value, "m")


@pytest.mark.parametrize(
    ("value", "unit", "names"),
    [
        ("5", "m", ("'5'", '0.5 or "50 cm"')),
        ("5 kg", "m", ("'5 kg'", "in m")),
        ("5 m", "rad", ("'5 m'", "in rad")),
        ("5 m/s", "m/s^2", ("'5 m/s'", "in m/s^2")),
        ("5 furlungs", "m", ("'5 furlungs'", "'furlungs'")),
        ("5 __class__", "m", ("'5 __class__'",)),
        ("5 m()", "m", ("'5 m()'",)),
        ("nan m", "m", ("'nan m'",)),
        ("inf m", "m", ("'inf m'",)),
        ("1e400 m", "m", ("1e400 m", "finite")),
        (math.nan, "m", ("nan", "finite")),
        (-math.inf, "m", ("-inf", "finite")),
        pytest.param(10**400, "m", ("finite",), id="more than a float holds"),
    ],
)
def test_refusals_say_why(value: object, unit: str, names: tuple[str, ...]) -> None:
    with refused(ValueError, *names):
        si(value, unit)


@pytest.mark.parametrize(("value", "unit"), [("5 Hz", "rad/s"), ("50 %", "rad"), ("5 rad", "s")])
def test_a_frequency_is_not_an_angular_velocity(value: str, unit: str) -> None:
    """5 Hz are 31.4 rad/s: taking hertz for rad/s would be wrong by 2π without a word."""
    with refused(ValueError, value, EXAMPLES[unit]):
        si(value, unit)


@pytest.mark.parametrize(
    "value", ["9" * 5000 + " m", "1 m^99999999", "1 m^9^9^9^9^9", "1 m**9**9**9**9", "1 " + "m*" * 3000],
    ids=["digits", "power", "tower", "stars", "product"],
)
def test_no_text_can_keep_the_machine_busy(value: str) -> None:
    """A scene file is data: towers of powers and long texts are refused unread."""
    with refused(ValueError, '0.5 or "50 cm"'):
        si(value, "m")
