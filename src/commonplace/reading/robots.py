"""Whether a site's robots.txt lets us fetch a page; only a clear no counts as one."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser

AGENT = "Commonplace"


def permits(robots: str, url: str) -> bool:
    parser = RobotFileParser()
    parser.parse(robots.splitlines())
    return parser.can_fetch(AGENT, url)
