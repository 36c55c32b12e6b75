"""How many attack texts by others are flagged, and how many ordinary texts without reason.

python -m benchmarks injection
"""

from __future__ import annotations

import argparse
import base64
import codecs
from collections import defaultdict
from collections.abc import Callable, Sequence
from time import process_time

from benchmarks.quality.injection.texts import Text, texts
from benchmarks.report import Cell, Report, Table, now
from commonplace.safety.examine import LIKENESS, ExaminedText, Finding, findings, suspicion
from commonplace.safety.rulebook import REFUSE_AT
from commonplace.safety.warnings import is_told

_CHUNK = 1500
_TIMED = 400
_DISGUISED = ("cyberseceval", "pincer", "PayloadsAllTheThings")
_SEEN = (
    "Totals of the held-back half were seen several times while settings were chosen, and harmless "
    "files of one source were taken out after that: the figures are somewhat kind."
)
_PARTED = (
    "Halves are by the hash of the text. Three translations of each sentence and the one in Hindi "
    "were to stay together, but `tie = 4` parts them: the figure of the translated attacks is too "
    "kind."
)
_LANGUAGES = (
    "Of ordinary texts in other languages from sources that the model has not seen (manual pages, "
    "messages of two programs, documentation of Kubernetes, Node and algorithms, in up to 30 "
    "languages; 1,939 texts, measured apart and once) 5.5 % are flagged."
)
_NOTES = (
    _PARTED,
    _LANGUAGES,
    "Rules and model saw the tuning half only; sources with a star were held back wholly.",
    _SEEN,
    "Flagged is what a reader would be warned of; `by rules`: also without the model.",
    "`refused` is what would be refused as a skill.",
    "Requests (BIPIA) are ordinary questions, planted where nobody asked them; not counted.",
    "Disguises are put on held-back attacks that are flagged as they are.",
)


def main(arguments: Sequence[str]) -> None:
    argparse.ArgumentParser(prog="python -m benchmarks injection", description=__doc__).parse_args(
        arguments
    )
    started = now()
    tables = (
        _flagged("Attacks", list(texts("attacks"))),
        _flagged("Ordinary texts", list(texts("ordinary"))),
        _flagged("Words of attacks in ordinary requests", list(texts("trigger_words"))),
        _flagged("Requests that nothing tells apart", list(texts("undecidable"))),
        _disguises(),
        _cost(),
    )
    Report("injection", tables, _NOTES).save(started)


def _found(text: str) -> list[Finding]:
    """What a reader would be told."""
    return [finding for finding in findings([ExaminedText((), text)]) if is_told(finding)]


def _flagged(title: str, given: list[Text]) -> Table:
    by_source: dict[str, list[tuple[Text, list[Finding]]]] = defaultdict(list)
    for text in given:
        found = _found(text.text)
        name = f"{text.source}*" if text.stranger else text.source
        by_source[name].append((text, found))
        by_source["all"].append((text, found))
    order = sorted(by_source, key=lambda name: (name == "all", name))
    rows = [_row(name, by_source[name]) for name in order]
    columns = ("source", "tuning", "flagged", "held back", "flagged", "by rules", "refused")
    return Table(title, columns, tuple(rows), digits=4)


def _row(name: str, judged: list[tuple[Text, list[Finding]]]) -> tuple[Cell, ...]:
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
