"""Whether a site's robots.txt allows fetching a page; only an explicit rule forbids it."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser

AGENT = "Commonplace"


def permits(robots: str, url: str) -> bool:
    parser = RobotFileParser()
    parser.parse(robots.splitlines())
    return parser.can_fetch(AGENT, url)
