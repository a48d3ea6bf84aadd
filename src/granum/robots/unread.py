"""What of a file nothing has read: listed by name, so that no part of a robot is lost unnoticed."""

from __future__ import annotations

from granum.robots.elements import Element, Reading


def list_unread(reading: Reading, root: Element, why: dict[str, str], inert: tuple[str, ...]) -> None:
    """List every element and attribute that nothing has read."""
    for element in root.children:
        if not element.visited:
            parts = [part for part in element.children if part.name]
            for part in parts:
                reading.note(part, f"{element.tag} {part.tag}", part.name, why.get(element.tag, "no counterpart"))
            if len(parts) < max(1, len(element.children)):
                owner = f"of {root.name}" if root.name and root.tag not in ("robot", "mujoco") else ""
                reading.note(element, element.tag, element.name or owner, why.get(element.tag, "no counterpart"))
            element.cover()
            continue
        for name in element.attributes:
            if name not in element.read and name not in inert:
                reading.leave_out(element, why.get(f"{element.tag} {name}", why.get(element.tag, "no counterpart")),
                                  name)
        if element.tag != "default" or any(child.visited for child in element.children):
            list_unread(reading, element, why, inert)
