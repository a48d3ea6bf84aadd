"""The page as one HTML document, with everything it needs in it."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files

from granum.base.errors import GranumError

_SCRIPTS = ("arrays", "sources", "theme", "tables", "spheres", "ribbons", "strokes", "springs", "solids", "shading",
            "stage", "pick", "overlay", "player", "paint", "plot", "search", "keys", "page")
"""In the order in which they need each other."""


def security_policy(page: str) -> str:
    """What a browser may do with a page that is served: what stands in it, and ask its own server."""
    return f"{_own_content(page)}; connect-src 'self'; frame-ancestors 'none'"


def _own_content(page: str) -> str:
    """The policy that lets a browser run and apply what stands in a page, by its hash, and nothing else."""
    def hashes(tag: str) -> str:
        blocks = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(block.encode()).digest()).decode() for block in blocks]
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    return (f"default-src 'none'; script-src {hashes('script')}; style-src {hashes('style')}; img-src data:; "
            "font-src data:; base-uri 'none'; form-action 'none'")


def document(data: str = "") -> str:
    """The page; with `data` it holds a run, and a policy by which the browser lets it ask nobody."""
    parts = files("granum.view.page") / "client"
    page = "\n".join((parts / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    filled = {
        "styles": "\n".join((parts / name).read_text("utf-8") for name in ("libraries.css", "page.css")),
        "libraries": (parts / "libraries.js").read_text("utf-8"),
        "data": f'window.GRANUM_RUN = "{data}";' if data else "",
        "page": page,
    }
    text = (parts / "index.html").read_text("utf-8")
    if any("</script" in filled[name] for name in ("libraries", "data", "page")):
        raise GranumError("A script of the page would end it early: run `make renew`.")
    text = re.sub(r"/\* (styles|libraries|data|page) \*/", lambda match: filled[match[1]], text)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_own_content(text)}">\n' if data else ""
    return text.replace("<meta name=\"viewport\"", f"{policy}<meta name=\"viewport\"", 1)
