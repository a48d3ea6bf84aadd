"""Names by number: series that take no memory, and finding them again."""

import pytest

from granum.base.names import Names


@pytest.fixture
def names() -> Names:
    found = Names()
    found.add("pivot")
    found.add_series("bob", 3)
    found.add_series("empty", 0)
    found.add_series("net", 6, columns=3)
    found.add("bob-x")
    return found


WRITTEN = ["pivot", "bob-1", "bob-2", "bob-3",
           "net-1-1", "net-1-2", "net-1-3", "net-2-1", "net-2-2", "net-2-3", "bob-x"]


def test_names_come_in_the_order_of_the_scene(names: Names) -> None:
    assert list(names) == WRITTEN
    assert len(names) == len(WRITTEN)
    assert names.some(2) == WRITTEN[:2]


@pytest.mark.parametrize("number", range(len(WRITTEN)))
def test_a_name_is_found_by_its_number_and_back(names: Names, number: int) -> None:
    assert names.find(names[number]) == number


@pytest.mark.parametrize(
    "name", ["", "bob", "bob-0", "bob-4", "bob-01", "bob-1-1", "bob--1", "bob-²", "bob-" + "9" * 400,
             "net-1", "net-3-1", "net-1-4", "net-0-1", "empty-1", "Pivot"],
)
def test_what_is_not_a_name_is_not_found(names: Names, name: str) -> None:
    assert names.find(name) is None


def test_a_million_names_cost_one_entry() -> None:
    found = Names()
    found.add_series("grain", 1_000_000)
    assert found[999_999] == "grain-1000000"
    assert found.find("grain-765432") == 765_431
    assert len(vars(found)["_blocks"]) == 1


def test_names_are_a_sequence(names: Names) -> None:
    """Numbers from the end, slices, and an error beyond either end, as of a list."""
    assert [names[-k] for k in range(1, len(WRITTEN) + 1)] == WRITTEN[::-1]
    for part in (slice(1, 3), slice(None, None, -1), slice(-4, None), slice(3, 100, 2)):
        assert names[part] == WRITTEN[part]
    for number in (len(WRITTEN), -len(WRITTEN) - 1):
        with pytest.raises(IndexError):
            names[number]
