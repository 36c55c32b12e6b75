"""Files that are broken, encrypted, bombs or endless: fifty of them, made anew on every run.

Decides what is wrong with each; what must become of them is the test's.
"""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="xml" ContentType="application/xml"/><Override '
    'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/'
    '2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"

Make = Callable[[], bytes]


def docx(document: str | bytes, **parts: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", document)
        for name, data in parts.items():
            archive.writestr(f"word/{name}.xml", data)
    return kept.getvalue()


def body(inner: str) -> str:
    return f'<?xml version="1.0"?><w:document {_WORD}><w:body>{inner}</w:body></w:document>'


def pdf(*objects: bytes, trailer: bytes = b"/Root 1 0 R") -> bytes:
    """A PDF of these objects, with a table that says where they are."""
    out, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start, count = len(out), len(objects) + 1
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count + table
    return out + b"trailer\n<</Size %d %s>>\nstartxref\n%d\n%%%%EOF\n" % (count, trailer, start)


def stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>\nstream\n" % (len(data), more) + data + b"\nendstream"


def packed(data: bytes, times: int = 1) -> bytes:
    """Compressed so often, and said so."""
    for _ in range(times):
        data = zlib.compress(data, 9)
    return stream(data, b"/Filter[" + b"/FlateDecode" * times + b"]")


def page(content: bytes, more: bytes = b"") -> bytes:
    return pdf(
        _CATALOG,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<"
        b"/Font<</F 5 0 R>>>>" + more + b">>",
        content,
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )


def hostile_pdfs() -> Iterator[tuple[str, Make]]:
    good = (FIXTURES / "handbook.pdf").read_bytes()
    yield "empty", lambda: b""
    yield "only a header", lambda: b"%PDF-1.7\n"
    yield "header and noise", lambda: b"%PDF-1.7\n" + random.Random(1).randbytes(50_000)
    yield "cut in the middle", lambda: b"%PDF-1.7\n" + good[20_000:]
    yield (
        "no page",
        lambda: pdf(_CATALOG, b"<</Type/Pages/Kids[]/Count 0>>"),
    )
    yield (
        "page tree in a circle",
        lambda: pdf(_CATALOG, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    )
    yield (
        "page tree with a parent below",
        lambda: pdf(
            _CATALOG,
            b"<</Type/Pages/Kids[3 0 R]/Count 9999999>>",
            b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 9999999/Parent 3 0 R>>",
        ),
    )
    yield "a catalog that is not there", lambda: pdf(b"<<>>", trailer=b"/Root 9 0 R")
    yield "a negative length", lambda: page(b"<</Length -5>>\nstream\nBT ET\nendstream")
    yield (
        "a length beyond the end",
        lambda: page(b"<</Length 999999999>>\nstream\nBT ET\nendstream"),
    )
    yield "content that is no content", lambda: page(stream(random.Random(2).randbytes(20_000)))
    yield "a bomb of zeros", lambda: page(packed(bytes(300_000_000)))
    yield "a bomb in a bomb", lambda: page(packed(bytes(300_000_000), times=2))
    yield "deep arrays", lambda: page(stream(b"[" * 500_000))
    yield "deep dictionaries", lambda: pdf(b"<</A" * 100_000 + b">>" * 100_000)
    yield "many saved states", lambda: page(stream(b"q " * 2_000_000))
    yield (
        "an unknown encryption",
        lambda: pdf(
            _CATALOG,
            b"<</Type/Pages/Kids[]/Count 0>>",
            b"<</Filter/Standard/V 5/R 6/Length 256/O(x)/U(x)/P -1>>",
            trailer=b"/Root 1 0 R/Encrypt 3 0 R/ID[(a)(b)]",
        ),
    )
    yield "a huge page", lambda: page(stream(b"BT ET"), b"/UserUnit 999999999")
    yield "a form that contains itself", lambda: pdf(
        _CATALOG,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R"
        b"/Resources<</XObject<</X 4 0 R>>>>>>",
        stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"
               b"/Resources<</XObject<</X 4 0 R>>>>"),
    )  # fmt: skip
    for seed in range(5):
        yield f"a good one with flipped bytes {seed}", partial(_scrambled, good, seed)


def _scrambled(data: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    changed = bytearray(data)
    for _ in range(len(data) // 20):
        changed[chance.randrange(len(data))] = chance.randrange(256)
    for place in range(9, len(data) - 9, 97):
        changed[place : place + 9] = b"\0" * 9
    return bytes(changed)


def hostile_docx() -> Iterator[tuple[str, Make]]:
    good = (FIXTURES / "handbook.docx").read_bytes()
    yield "only an archive's beginning", lambda: b"PK\x03\x04" + bytes(30)
    yield "cut in the middle", lambda: good[: len(good) // 2]
    yield "no XML", lambda: docx(b"this is not XML")
    yield "XML that ends early", lambda: docx(body("<w:p><w:r><w:t>text")[:-30])
    yield "another kind of XML", lambda: docx("<html/>")
    yield "without a body", lambda: docx(f"<w:document {_WORD}/>")
    yield "no paragraph", lambda: docx(body(""))
    yield (
        "a bomb of spaces",
        lambda: docx(body("<w:p><w:r><w:t>" + " " * 300_000_000 + "</w:t></w:r></w:p>")),
    )
    yield "a bomb beside the text", lambda: docx(body(""), media=bytes(300_000_000))
    yield (
        "many small bombs",
        lambda: docx(body(""), **{f"m{n}": bytes(20_000_000) for n in range(12)}),
    )
    yield "entities that grow", lambda: docx(_growing_entities())
    yield (
        "an entity from a file",
        lambda: docx('<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + body("&x;")),
    )
    yield "deeply nested", lambda: docx(body("<w:sdt><w:sdtContent>" * 50_000))
    yield "too many parts", lambda: docx(body(""), **{f"p{n}": b"" for n in range(10_050)})
    yield "a lying size", lambda: _lying(docx(body("")))
    yield "an encrypted part", lambda: _marked_encrypted(docx(body("")))


def _growing_entities() -> str:
    levels = "".join(
        f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" if n else "<!ENTITY l0 'lol'>" for n in range(12)
    )
    return f"<!DOCTYPE d [{levels}]>" + body("<w:p><w:r><w:t>&l11;</w:t></w:r></w:p>")


def _lying(data: bytes) -> bytes:
    """The directory says that the parts are larger and begin elsewhere."""
    return data.replace(struct.pack("<I", 0x02014B50), struct.pack("<I", 0x02014B51))


def _marked_encrypted(data: bytes) -> bytes:
    changed = bytearray(data)
    place = 0
    while (place := data.find(b"PK\x01\x02", place)) >= 0:
        changed[place + 8] |= 1
        place += 4
    return bytes(changed)


def hostile_texts() -> Iterator[tuple[str, str, Make]]:
    yield "nothing but zeros", "a.txt", lambda: bytes(10_000)
    yield "random bytes", "a.txt", lambda: random.Random(3).randbytes(100_000)
    yield "an image", "a.md", lambda: b"\x89PNG\r\n\x1a\n" + bytes(1000)
    yield "a program", "a.html", lambda: b"\x7fELF" + bytes(1000)
    yield "an old Office file", "a.docx", lambda: b"\xd0\xcf\x11\xe0" + bytes(5000)
    yield "an archive", "a.txt", lambda: docx(body(""))[:40] + bytes(1000)
    yield "elements without end", "a.html", lambda: b"<div>" * 1_000_000
    yield "lists without end", "a.html", lambda: b"<ul><li>" * 300_000
    yield "only furniture", "a.html", lambda: b"<nav>" + b"<a href=/>x</a>" * 50_000 + b"</nav>"
    yield "more than may be read", "a.txt", lambda: b"word " * 2_500_000


def every() -> list[tuple[str, str, Make]]:
    """What is wrong, the file's name, and how to make its bytes: some are large."""
    found = [(f"pdf: {what}", "a.pdf", make) for what, make in hostile_pdfs()]
    found += [(f"docx: {what}", "a.docx", make) for what, make in hostile_docx()]
    found += [(f"{name}: {what}", name, make) for what, name, make in hostile_texts()]
    return found
