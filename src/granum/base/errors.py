"""Errors that users see: each says where, what was found, what is allowed and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches

SHOWN = 50
"""Problems that a message lists; of the others it says how many there are."""
_LONGEST = 800
"""Characters of a part of a message: names and values may have millions."""
_LONGEST_NAME = 80
_COMPARED = 200
"""Names that an unknown one is compared with; a scene may have a million."""


class GranumError(Exception):
    """Base of all errors of Granum; the message is meant for the user.

    >>> gr.example("hoper")
    Traceback (most recent call last):
    granum.base.errors.GranumError: There is no example "hoper". Did you mean "hopper"? ...
    """


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a scene: where, what was found and what to do; each of bounded length."""

    place: str
    """Path of the entry, such as `link.rod-3.length`; empty for the file as a whole."""
    finding: str
    remedy: str = ""
    line: int | None = None
    """Line in the scene file, where there is one."""

    def __post_init__(self) -> None:
        for part in ("place", "finding", "remedy"):
            object.__setattr__(self, part, shortened(getattr(self, part)))

    def text(self, source: str) -> str:
        """The problem as the user reads it, `source` being the file's name."""
        where = source if self.line is None else f"{source}:{self.line}"
        head = f"{where} {self.place}: {self.finding}" if self.place else f"{where}: {self.finding}"
        return f"{head}\n  {self.remedy}" if self.remedy else head


class SceneError(GranumError):
    """A scene is not valid; `problems` lists all mistakes, not only the first.

    >>> try:
    ...     gr.Disk(radius="5 kg")
    ... except gr.SceneError as error:
    ...     print(error.problems[0].place)
    radius
    """

    def __init__(self, problems: Iterable[Problem], source: str = "scene") -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__(self.problems, source)

    @property
    def about_scene(self) -> bool:
        """Does it speak of a scene that has no file name yet?"""
        return self.source == "scene"

    def __str__(self) -> str:
        shown = [problem.text(self.source) for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            shown.append(f"... and {len(self.problems) - SHOWN} more.")
        return "\n".join(shown)


class ContradictingStartError(SceneError):
    """The start contradicts the joints; with other run settings it may fit."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Name the entry of the scene that a problem belongs to."""
    try:
        yield
    except SceneError:
        raise
    except GranumError as error:
        raise SceneError([Problem(place, str(error))]) from None


class RunFileError(GranumError):
    """A run file is missing, of another kind, damaged, or does not fit the request.

    >>> gr.open_run("missing.h5")
    Traceback (most recent call last):
    granum.base.errors.RunFileError: ...
    """


class RunFileWarning(UserWarning):
    """A warning about a run file."""


class NotConvergedError(GranumError):
    """A step did not converge to its tolerance; the run keeps the frames recorded so far.

    >>> issubclass(gr.NotConvergedError, gr.GranumError)
    True
    """


def shortened(text: str, most: int = _LONGEST) -> str:
    """A text of at most so many characters: the middle of a longer one is left out."""
    return text if len(text) <= most else f"{text[:most * 3 // 4]} ... {text[5 - most // 4:]}"


def did_you_mean(name: str, known: Iterable[str], what: str, none: str = "") -> str:
    """A remedy for an unknown name: the nearest known one, and the choice; `none` is said where there is no choice."""
    choice = list(known)
    compared = choice if len(choice) <= _COMPARED else [other for other in choice if other[:1] == name[:1]][:_COMPARED]
    near = get_close_matches(name, compared, 1) if len(name) <= _LONGEST_NAME else []
    hint = f'Did you mean "{near[0]}"? ' if near else ""
    if not choice:
        return none or f"There is no {what} here."
    more = f" and {len(choice) - 12} more" if len(choice) > 12 else ""
    return f"{hint}Known: {', '.join(choice[:12])}{more}."


def pick(name: str, known: Iterable[str], what: str) -> str:
    """Return `name` if it is known, else raise with the nearest match and the choice."""
    choice = list(known)
    if name in choice:
        return name
    raise GranumError(f'There is no {what} "{shortened(name, _LONGEST_NAME)}". {did_you_mean(name, choice, what)}')
