"""What a reader is told about a text that is handed out; nothing is refused here.

Computed when a text is shown, or soon after it is written: what is shown was examined, by the rules
of today, whoever wrote it and however long ago.
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
# Taken with the code, before anything is examined: what an upgrade beneath a running server puts in
# its place must not count as what let a text pass.
_EDITION = edition()
# Lighter ones are oddities, such as a long stretch of base64: worth a word to who contributes a
# skill, noise to who reads a page.
_TOLD_AT = 0.2


def warnings_of(*texts: str | None) -> list[str]:
    """Short reasons to distrust these texts, each once; that there are none is no promise."""
    told = (reason for text in texts if text for reason in _BEFORE.reasons(text))
    return list(dict.fromkeys(told))[:_MOST]


class ExaminedBefore:
    """What was found in texts that were shown before, by their digests: of most texts nothing.

    Digests take little room, so that it reaches far, and what they are of is not kept. `harmless`
    tells where those of texts without a finding are known beyond this process.
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
    """A digest of the text together with what it is examined by."""
    return sha256(_EDITION + text.encode("utf-8", "surrogatepass")).digest()


def _reasons(text: str) -> tuple[str, ...]:
    found = findings([ExaminedText((), text[:_LONGEST])])
    return tuple(one.issue.message for one in found if is_told(one))


def is_told(finding: Finding) -> bool:
    """Whether a reader hears of it, and not only who contributes it."""
    return finding.rule == LIKENESS or finding.weight >= _TOLD_AT


_BEFORE = ExaminedBefore(harmless=remembered)
