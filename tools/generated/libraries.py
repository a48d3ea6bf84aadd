"""The JavaScript libraries of the page in one file, built by npm and esbuild from `page/`.

A test cannot build them without a network. The file ends with a stamp, a hash of what it was built from.
"""

import subprocess
from hashlib import blake2b
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "page"
CLIENT = Path(__file__).resolve().parents[2] / "src" / "granum" / "view" / "page" / "client"
SCRIPT = CLIENT / "libraries.js"


def stamp() -> str:
    """The line that the file ends with."""
    digest = blake2b(digest_size=8)
    for file in ("package.json", "libraries.js"):
        digest.update((PAGE / file).read_bytes())
    return f"// built from tools/generated/page {digest.hexdigest()}"


def current() -> bool:
    """Is the file built from what stands in `page/` now?"""
    return SCRIPT.read_text("utf-8").rstrip().endswith(stamp())


def renew() -> bool:
    """Build the file unless it is up to date; was it built?"""
    if current():
        return False
    subprocess.run(["npm", "install", "--silent", "--no-package-lock"], cwd=PAGE, check=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=PAGE, check=True)
    SCRIPT.write_text(f"{SCRIPT.read_text('utf-8').rstrip()}\n{stamp()}\n", "utf-8")
    return True
