"""The Markdown report of auto_capture, read as a person would: its sections, ids and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.steps import AUTO_CAPTURE

# 68 characters; its documented score is 0.7595, its probability lies between 0.8 and 0.9; a win.
CLEARED = "Finally got it working! The solution was to clear the cache first..."
SAID = "The solution was to clear the cache first..."
# Its probability is above 0.94.
SURE = (
    "This was terrible and I was stuck for days. Finally got it working after hours of debugging. "
    "It works now and all is good!"
)
_HEADING = re.compile(r"^#+ (.+?)(?: \((\d+)\))?$", re.MULTILINE)
_FIGURE = re.compile(r"^- \*\*(.+?):\*\* (.+)$", re.MULTILINE)
_ITEM_ID = re.compile(r"\*\*ID:\*\* `([^`]+)`")
_REVIEW_ID = re.compile(r"\*\*Review ID:\*\* `([^`]+)`")


@dataclass(frozen=True)
class Report:
    text: str

    @property
    def headings(self) -> list[str]:
        """Without the numbers behind them."""
        return [found[1] for found in _HEADING.finditer(self.text)]

    def section(self, heading: str) -> str:
        """What stands below a heading, up to the next one."""
        places = list(_HEADING.finditer(self.text))
        (index,) = [i for i, found in enumerate(places) if found[1] == heading]
        end = places[index + 1].start() if index + 1 < len(places) else len(self.text)
        return self.text[places[index].end() : end]

    def figures(self, heading: str) -> dict[str, str]:
        """The lines `- **name:** value` of a section."""
        return dict(_FIGURE.findall(self.section(heading)))

    @property
    def counts(self) -> tuple[int, int, int]:
        """Processed, captured and flagged."""
        shown = self.figures("Summary")
        processed, captured, flagged = (
            int(shown[name]) for name in ("Total processed", "Captured", "Flagged")
        )
        return processed, captured, flagged

    @property
    def captured(self) -> list[str]:
        """The ids of the items that were saved."""
        return _ITEM_ID.findall(self.text)

    @property
    def flagged(self) -> list[str]:
        """The ids of the moments that wait for review."""
        return _REVIEW_ID.findall(self.text)


def auto_capture(caller: Caller, text: str, **given: Any) -> Report:
    """The report of a call that must succeed; its lists and its numbers agree."""
    report = Report(caller.text(AUTO_CAPTURE, text=text, **given))
    _, captured, flagged = report.counts
    assert (len(report.captured), len(report.flagged)) == (captured, flagged), report.text
    return report


def saved(caller: Caller, text: str, **given: Any) -> str:
    """The id of the one item that is made of a text, whatever its score."""
    (id,) = auto_capture(caller, text, **{"threshold": 0, "auto_save": True, **given}).captured
    return id


def flagged(caller: Caller, text: str = CLEARED, **given: Any) -> str:
    """The id of the one moment of a text that now waits for review."""
    (id,) = auto_capture(caller, text, **{"threshold": 0.8, **given}).flagged
    return id


def newcomers(premises: Premises) -> Iterator[Caller]:
    """Each of an org of its own, to which no text is known yet."""
    return (premises.caller(org=f"org-{number}") for number in count())
