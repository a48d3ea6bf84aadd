"""Generated files are what the code generates now."""

from pathlib import Path

import pytest

from tools.generated import derivations, libraries, reference, stub
from tools.generated.renew import ROOT, generated

RENEW = "is out of date: run `make renew`"


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    return generated()


@pytest.mark.parametrize("file", [stub.FILE, *sorted(reference.PAGES.glob("*.md")), *derivations.PAGES.values()],
                         ids=lambda file: str(file.relative_to(ROOT)))
def test_file_is_up_to_date(file: Path, texts: dict[Path, str]) -> None:
    assert file.read_text("utf-8") == texts[file], f"{file.relative_to(ROOT)} {RENEW}"


def test_libraries_of_the_page_are_up_to_date() -> None:
    assert libraries.current(), f"{libraries.SCRIPT.relative_to(ROOT)} {RENEW}"
