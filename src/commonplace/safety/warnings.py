"""What a reader is told about a text that is handed out; nothing is refused here.

Computed when a text is shown: what is shown was examined, by the rules of today, whoever wrote it
and however long ago.
"""

from __future__ import annotations

from functools import lru_cache

from commonplace.safety.examine import LIKENESS, ExaminedText, Finding, findings

_REMEMBERED = 4096
_REMEMBERED_CHARS = 4000
_LONGEST = 100_000
_MOST = 5
# Lighter ones are oddities, such as a long stretch of base64: worth a word to who contributes a
# skill, noise to who reads a page.
_TOLD_AT = 0.2


def warnings_of(*texts: str | None) -> list[str]:
    """Short reasons to distrust these texts, each once; that there are none is no promise."""
    told = (reason for text in texts if text for reason in _reasons_of(text))
    return list(dict.fromkeys(told))[:_MOST]


def _reasons_of(text: str) -> tuple[str, ...]:
    """What is found again and again is short; long texts are not worth the memory."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _reasons(text)


def _reasons(text: str) -> tuple[str, ...]:
    found = findings([ExaminedText((), text[:_LONGEST])])
    return tuple(one.issue.message for one in found if is_told(one))


def is_told(finding: Finding) -> bool:
    """Whether a reader hears of it, and not only who contributes it."""
    return finding.rule == LIKENESS or finding.weight >= _TOLD_AT


_remembered = lru_cache(_REMEMBERED)(_reasons)
