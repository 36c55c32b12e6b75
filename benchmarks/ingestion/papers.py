"""What the ingestion benchmark reads: a long PDF, a folder of Markdown; the same on every run."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator

_PROSE = (
    "the keeper of the lighthouse writes down how much oil the lamp has burned and when the horn "
    "was sounded because a ship that passes in fog hears more than it sees and every storm takes "
    "its share of paint rope glass and patience until the boat brings letters bread coal and news "
    "from the harbour where the master counts barrels signs papers and asks about the weather"
)
_WORDS = _PROSE.split()
_LINES_ON_A_PAGE = 46
_LINE_CHARS = 90


def sentence(chance: random.Random) -> str:
    words = chance.choices(_WORDS, k=chance.randint(8, 22))
    return " ".join(words).capitalize() + "."


def paragraph(chance: random.Random) -> str:
    return " ".join(sentence(chance) for _ in range(chance.randint(3, 7)))


def markdown_documents(count: int) -> Iterator[tuple[str, bytes]]:
    """Name and bytes; three sections of two paragraphs each."""
    for number in range(count):
        chance = random.Random(number)
        parts = [f"# Report {number}"]
        for section in range(3):
            parts += [f"## Part {section}", paragraph(chance), paragraph(chance)]
        yield f"report-{number}.md", "\n\n".join(parts).encode()


def long_pdf(pages: int) -> bytes:
    """Each page has a heading and as many lines as fit."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", _font(b"Helvetica"), _font(b"Helvetica-Bold")]
    kids = []
    for number in range(pages):
        content = _page(number)
        objects.append(b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<<"
            b"/F 3 0 R/B 4 0 R>>>>>>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), pages)
    return _file(objects)


def _page(number: int) -> bytes:
    chance = random.Random(number)
    lines: list[str] = []
    while len(lines) < _LINES_ON_A_PAGE:
        lines += [*textwrap.wrap(paragraph(chance), _LINE_CHARS), ""]
    shown = [b"(%s) '" % line.encode() for line in lines[:_LINES_ON_A_PAGE]]
    heading = b"BT /B 18 Tf 50 790 Td (Watch number %d) Tj ET\n" % number
    return heading + b"BT /F 10 Tf 15 TL 50 770 Td\n" + b"\n".join(shown) + b"\nET"


def _font(name: bytes) -> bytes:
    return b"<</Type/Font/Subtype/Type1/BaseFont/%s>>" % name


def _file(objects: list[bytes]) -> bytes:
    parts, places, length = [b"%PDF-1.7\n"], [], 9
    for number, content in enumerate(objects, start=1):
        places.append(length)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        length += len(parts[-1])
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts += [b"%010d 00000 n \n" % place for place in places]
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return b"".join(parts) + end % (len(objects) + 1, length)
