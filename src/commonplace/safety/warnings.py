"""Warnings for the readers of a text; never refuses anything.

Computed when a text is shown or soon after it is written, so that whatever is shown was examined by
the current rules, whoever wrote it and whenever.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

from commonplace.safety.edition import edition
from commonplace.safety.examine import LIKENESS, ExaminedText, Finding, findings
from commonplace.safety.remembered import HarmlessTexts, remembered

MOST_REMEMBERED = 65_536
_LONGEST = 100_000
_MOST = 5
# Computed at import, before anything is examined: if an upgrade replaces files under a running
# server, they must not count as the rules that a text has passed.
_EDITION = edition()
# Findings below this weight are oddities, such as long base64: useful to a skill's contributor,
# noise to the reader of a page.
_SHOWN_FROM = 0.2


def warnings_of(*texts: str | None) -> list[str]:
    """Short reasons to distrust these texts, each once. No warning does not mean that they are
    safe."""
    told = (reason for text in texts if text for reason in _BEFORE.reasons(text))
    return list(dict.fromkeys(told))[:_MOST]


class ExaminedBefore:
    """Caches findings by digest; most texts have none.

    Digests are small, so the cache covers many texts, and the texts themselves are not kept.
    `harmless` shares the digests of texts without findings beyond this process.
    """

    def __init__(
        self,
        most: int = MOST_REMEMBERED,
        harmless: Callable[[], HarmlessTexts | None] = lambda: None,
    ) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._reasons: OrderedDict[bytes, tuple[str, ...]] = OrderedDict()
        self._harmless = harmless

    def reasons(self, text: str) -> tuple[str, ...]:
        digest = _digest(text)
        with self._lock:
            known = self._reasons.get(digest)
            if known is not None:
                self._reasons.move_to_end(digest)
                return known
        found = self._found_in(text, digest)
        with self._lock:
            self._reasons[digest] = found
            if len(self._reasons) > self._most:
                self._reasons.popitem(last=False)
        return found

    def _found_in(self, text: str, digest: bytes) -> tuple[str, ...]:
        harmless = self._harmless()
        if harmless and harmless.has(digest):
            return ()
        found = _reasons(text)
        if harmless and not found:
            harmless.add(digest)
        return found

    def __len__(self) -> int:
        return len(self._reasons)


def _digest(text: str) -> bytes:
    """A digest of the text and of the examination rules."""
    return sha256(_EDITION + text.encode("utf-8", "surrogatepass")).digest()


def _reasons(text: str) -> tuple[str, ...]:
    found = findings([ExaminedText((), text[:_LONGEST])])
    return tuple(one.issue.message for one in found if is_shown_to_readers(one))


def is_shown_to_readers(finding: Finding) -> bool:
    """Whether readers see the finding, and not only the contributor."""
    return finding.rule == LIKENESS or finding.weight >= _SHOWN_FROM


_BEFORE = ExaminedBefore(harmless=remembered)
