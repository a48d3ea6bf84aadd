"""The house style: colours of values can be told apart and are never black."""

from __future__ import annotations

import numpy as np

from granum.view import style


def lightness(colours: np.ndarray) -> np.ndarray:
    """CIE L* of sRGB colours (n, 3) from 0 to 1 (IEC 61966-2-1, CIE 15)."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    Y = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(Y > (6.0 / 29.0) ** 3, 116.0 * np.cbrt(Y) - 16.0, (29.0 / 3.0) ** 3 * Y)


def test_values_grow_lighter_from_a_floor_that_is_not_dark() -> None:
    """viridis itself begins at L* = 15. A mark of a third of the colour stands out from L* of 45 and more."""
    L = lightness(style.VALUE_COLOURS(np.arange(256))[:, :3])
    assert L[0] > 45.0 and L[-1] > 85.0
    assert np.all(np.diff(L) > 0.0)
