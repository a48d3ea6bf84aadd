"""The catalogue of messages: numbers may differ, words may not, and what is not named is found missing."""

import pytest

from messages import Catalogue, naming, refused, says


@pytest.mark.parametrize(("text", "equal"), [
    ("after 13 steps of 1.5e-3 s", True), ("after 14 steps of -2 s", True),
    ("after 13 sweeps of 1.5e-3 s", False), ("after x13 steps of 1.5e-3 s", False)])
def test_numbers_are_not_compared(text: str, equal: bool) -> None:
    assert Catalogue().matches(serialized_data=text, snapshot_data="after 12 steps of 1e-3 s") == equal


@pytest.mark.parametrize("name", ["rod-3", "disk2d", "2-D", "run1.toml"])
def test_names_with_digits_are_compared(name: str) -> None:
    other = name.replace("3", "4").replace("2", "4").replace("1", "4")
    assert not Catalogue().matches(serialized_data=f"{name} broke", snapshot_data=f"{other} broke")


def test_what_is_not_named_is_missing() -> None:
    with pytest.raises(AssertionError, match="not named: rod-4"):
        naming('"rod-3" is too short: 0.1 m', "rod-3", "rod-4")


def test_wording_is_that_of_the_catalogue() -> None:
    """The catalogue has this text with another number."""
    says("A message of 12 words.", "words")
    with refused(ValueError, "scene.toml"):
        raise ValueError("scene.toml:3: found 4")
