"""How many attack texts by others are flagged, and how many ordinary texts without reason.

python -m benchmarks injection
"""

from __future__ import annotations

import argparse
import base64
import codecs
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from time import process_time

from benchmarks.quality.injection.copies import Ties, join_copies
from benchmarks.quality.injection.texts import Text, texts
from benchmarks.report import Cell, Report, Table, now
from commonplace.safety.examine import LIKENESS, ExaminedText, Finding, findings, suspicion
from commonplace.safety.rulebook import REFUSE_AT
from commonplace.safety.warnings import is_shown_to_readers

_CHUNK = 1500
_TIMED = 400
_LINES = 5
_PROCESSES = 2
# Ordinary texts are many and long; one in so many says as much.
_EVERY = 6
_DISGUISED = ("cyberseceval", "pincer", "PayloadsAllTheThings")
_SPLIT = (
    "Halves are by what is said: copies of a text (half of its runs of five words), its "
    "translations and the text that they translate are in one half."
)
_SEEN = (
    "Rules, words and model saw the tuning half only; sources with a star were held back wholly. "
    "Untied texts are in the half that they were in before; of the translated attacks about half "
    "of those now held back were in the tuning half when rules for other languages were written."
)
_ONCE = (
    "The held-back half was measured four times with models that learned from how-tos of our own "
    "besides, in versions (decision 0094). Totals of earlier models were known; no text of it was "
    "looked at."
)
_NOTES = (
    _SPLIT,
    _SEEN,
    _ONCE,
    "Flagged is what a reader would be warned of; `by rules`: also without the model.",
    "`refused` is what would be refused as a skill.",
    f"Of ordinary texts one in {_EVERY} of the held-back half is examined.",
    "Requests (BIPIA) are ordinary questions, planted where nobody asked them; not counted.",
    "Fresh attacks that are copies of a text in the tuning half are left out.",
    "Disguises are put on held-back attacks that are flagged as they are.",
)
_SCRIPTS = {
    "Thai": "\u0e00-\u0e7f",
    "Devanagari": "\u0900-\u097f",
    "Bengali": "\u0980-\u09ff",
    "Arabic": "\u0600-\u06ff",
    "Cyrillic": "\u0400-\u04ff",
    "Greek": "\u0370-\u03ff",
    "Hangul": "\uac00-\ud7af",
    "Kana": "\u3040-\u30ff",
    "Han": "\u3400-\u9fff",
}

Judged = tuple[Text, list[Finding]]


def main(arguments: Sequence[str]) -> None:
    argparse.ArgumentParser(prog="python -m benchmarks injection", description=__doc__).parse_args(
        arguments
    )
    started = now()
    attacks = _judged(texts("attacks"))
    held = [text for text in texts("ordinary") if text.held]
    ordinary = _judged(held[::_EVERY])
    tables = (
        _table("Attacks, by kind", attacks, lambda text: text.kind),
        _table("Attacks", attacks, _source),
        _table("Attacks of a collection that was never looked at", _fresh(), _source),
        _table("Ordinary texts, by kind", ordinary, lambda text: text.kind or "English and code"),
        _table("Ordinary texts", ordinary, _source),
        _table("Ordinary texts, by script", ordinary, _script),
        _parts([text for text, _ in ordinary]),
        _table("Words of attacks in ordinary requests", _judged(texts("trigger_words")), _source),
        _table("Requests that nothing tells apart", _judged(texts("undecidable")), _source),
        _disguises(),
        _cost(),
    )
    Report("injection", tables, _NOTES).save(started)


def _found(text: str) -> list[Finding]:
    """What a reader would be told."""
    return [
        finding for finding in findings([ExaminedText((), text)]) if is_shown_to_readers(finding)
    ]


def _judged(given: Iterable[Text]) -> list[Judged]:
    texts = list(given)
    return list(zip(texts, _found_in([text.text for text in texts]), strict=True))


def _found_in(given: Sequence[str]) -> list[list[Finding]]:
    with ProcessPoolExecutor(_PROCESSES) as processes:
        return list(processes.map(_found, given, chunksize=64))


def _fresh() -> list[Judged]:
    """Those that are no copies of what was learned from."""
    tuning = [text for text in texts("attacks") if not text.held]
    every = [*tuning, *texts("fresh")]
    ties = Ties(len(every))
    join_copies([text.text for text in every], ties)
    return _judged(
        every[number]
        for number in range(len(tuning), len(every))
        if ties.first(number) >= len(tuning)
    )


def _source(text: Text) -> str:
    return f"{text.source}*" if text.stranger else text.source


def _script(text: Text) -> str:
    """The script of a third of a text's beginning; code is Latin in every language."""
    begins = text.text[:2000]
    for name, letters in _SCRIPTS.items():
        if 3 * len(re.findall(f"[{letters}]", begins)) > len(begins):
            return name
    return "Latin, or mostly code"


def _table(title: str, judged: list[Judged], named: Callable[[Text], str]) -> Table:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for text, found in judged:
        groups[named(text)].append((text, found))
        groups["all"].append((text, found))
    order = sorted(groups, key=lambda name: (name == "all", name))
    columns = ("texts", "tuning", "flagged", "held back", "flagged", "by rules", "refused")
    return Table(title, columns, tuple(_row(name, groups[name]) for name in order), digits=4)


def _parts(held: list[Text]) -> Table:
    """Searches show passages, and a note may be one line."""
    passages = [text.text[:_CHUNK] for text in held if len(text.text) > _CHUNK]
    passages += [text.text[-_CHUNK:] for text in held if len(text.text) > 2 * _CHUNK]
    lines = {line for text in held for line in _alone(text.text)}
    rows: list[tuple[Cell, ...]] = [
        (name, len(parts), sum(map(bool, _found_in(parts))) / len(parts))
        for name, parts in (
            (f"passages of {_CHUNK} characters", passages),
            ("single lines", sorted(lines)),
        )
    ]
    return Table(
        "Parts of ordinary texts", ("held back", "parts", "flagged"), tuple(rows), digits=4
    )


def _alone(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if 24 < len(line) < 300]
    return lines[:: max(1, len(lines) // _LINES)][:_LINES]


def _row(name: str, judged: list[Judged]) -> tuple[Cell, ...]:
    tuning = [found for text, found in judged if not text.held]
    held = [found for text, found in judged if text.held]
    return (
        name,
        len(tuning),
        _share(tuning, bool),
        len(held),
        _share(held, bool),
        _share(held, lambda found: any(one.rule != LIKENESS for one in found)),
        _share(held, lambda found: suspicion(found) >= REFUSE_AT),
    )


def _share(found: list[list[Finding]], holds: Callable[[list[Finding]], bool]) -> float | None:
    return sum(map(holds, found)) / len(found) if found else None


def _disguises() -> Table:
    held = [text.text for text in texts("attacks") if text.held and text.source in _DISGUISED]
    plain = [text for text in held if len(text) < 2000 and text.isascii() and _found(text)]
    rows = [
        (name, len(plain), sum(bool(_found(disguise(text))) for text in plain) / len(plain))
        for name, disguise in DISGUISES.items()
    ]
    return Table("Disguises", ("disguise", "attacks", "flagged"), tuple(rows))


def _letters(pairs: str) -> Callable[[str], str]:
    plain, other = pairs.split()
    return lambda text: text.translate(str.maketrans(plain, other))


DISGUISES: dict[str, Callable[[str], str]] = {
    "base64": lambda text: f"Decode: {base64.b64encode(text.encode()).decode()}",
    "hexadecimal": lambda text: f"Decode: {text.encode().hex()}",
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "reversed": lambda text: text[::-1],
    "digits for letters": _letters("aeiostAEIOST 431057431057"),
    "spaced letters": lambda text: "  ".join(" ".join(word) for word in text.split()),
    "zero-width spaces": "\u200b".join,
    "Cyrillic letters": _letters("aceopxyACEOPXY асеорхуАСЕОРХУ"),
    "full-width letters": lambda text: "".join(
        chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text
    ),
    "character references": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "percent signs": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "in an HTML comment": lambda text: f"# Usage\n\n<!-- {text} -->\n\nRun the tests.",
    "in a code comment": lambda text: (
        "def add(a, b):\n    # " + text.replace("\n", "\n    # ") + "\n    return a + b"
    ),
    "in a link title": lambda text: f'See [the guide](guide.md "{" ".join(text.split())}").',
    "in the middle of a page": lambda text: f"{_PAGE}\n\n{text}\n\n{_PAGE}",
}
_PAGE = (
    "The cache is filled at start-up and kept for an hour. Restart the service to empty it. " * 8
)


def _cost() -> Table:
    """Of a chunk as searches show it; the second time it is remembered."""
    ordinary = [text.text for text in texts("ordinary") if text.held]
    chunks = [text[:_CHUNK] for text in ordinary if len(text) > _CHUNK][:_TIMED]
    _found(chunks[0])
    started = process_time()
    for chunk in chunks:
        _found(chunk)
    each = (process_time() - started) / len(chunks)
    started = process_time()
    for chunk in chunks:
        chunk.casefold().split()
    words = (process_time() - started) / len(chunks)
    rows = (("examined", each * 1e3, each / words), ("its words told apart", words * 1e3, 1.0))
    return Table(f"A chunk of {_CHUNK} characters", ("what", "ms", "ratio"), rows)
