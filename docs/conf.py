"""How the pages become a site: `make docs` builds it into out/docs, without a network, warnings being errors."""

from __future__ import annotations

import re
from importlib.metadata import version as installed_version
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parent

project = "Granum"
author = "Granum developers"
copyright = author
version = release = installed_version("granum")

extensions = ["myst_nb", "sphinx_design", "sphinx-mathjax-offline"]
exclude_patterns = ["_build"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4  # links such as gallery.md#hopper work here as they do on GitHub
nb_execution_mode = "force"
nb_execution_timeout = 1200  # of a cell, on a busy machine that compiles its kernels first
nb_execution_in_temp = True  # run files stay out of the pages
nb_execution_raise_on_error = True
nb_merge_streams = True

html_theme = "pydata_sphinx_theme"
html_title = f"Granum {release}"
html_static_path = ["_static"]
html_css_files = ["granum.css"]
html_copy_source = False
html_sidebars = {page: [] for page in ("tutorial", "validation")}  # pages without others below them
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "Granum"},
    "header_links_before_dropdown": 8,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
}

OUTSIDE = {"benchmarks/README.md": "dev-benchmarks.md", "CONTRIBUTING.md": "dev-contributing.md",
           "CHANGELOG.md": "dev-changes.md"}
"""Files beside docs/ that the site has as pages; links in the sources lead to the files, as they do on GitHub."""
_STILL = re.compile(r"!\[([^\]]*)\]\(pictures/([\w-]+)\.png\)")


def lead_inside(app: Sphinx, docname: str, source: list[str]) -> None:
    """Links to files outside of docs/ lead to the pages that include them."""
    up = "../" * (docname.count("/") + 1)
    for file, page in OUTSIDE.items():
        source[0] = source[0].replace(f"]({up}{file}", f"]({up.removeprefix('../')}{page}")


def show_films(app: Sphinx, docname: str, source: list[str]) -> None:
    """Show the film of a scene, where there is one, in place of the still picture that the source names."""
    if docname == "index" or docname.startswith("gallery"):
        source[0] = _STILL.sub(_film, source[0])


def _film(still: re.Match[str]) -> str:
    for suffix in (".webp", ".gif"):
        if (DOCS / "pictures" / f"film-{still[2]}{suffix}").exists():
            return f"![{still[1]}](pictures/film-{still[2]}{suffix})"
    return still[0]


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", lead_inside)
    app.connect("source-read", show_films)
