"""`make renew`: writes every generated file anew and says which have changed."""

from pathlib import Path

from tools.generated import derivations, libraries, reference, stub

ROOT = Path(__file__).resolve().parents[2]


def generated() -> dict[Path, str]:
    """All generated texts by file; the libraries of the page, built by other programs, have a stamp instead."""
    return {**stub.files(), **reference.files(), **derivations.files()}


def main() -> None:
    """Write the files whose text is out of date, and build the libraries of the page if they are."""
    changed = [file for file, text in generated().items() if _write(file, text)]
    if libraries.renew():
        changed.append(libraries.SCRIPT)
    for file in changed:
        print(f"Written: {file.relative_to(ROOT)}")
    if not changed:
        print("Every generated file is up to date.")


def _write(file: Path, text: str) -> bool:
    if file.read_text("utf-8") == text:
        return False
    file.write_text(text, "utf-8")
    return True


if __name__ == "__main__":
    main()
