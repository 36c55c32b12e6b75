"""Source types: web pages, files of every readable format, and pages; read as the product does."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import pypdfium2
import pytest

from tests.surfaces.documents.desk import Desk
from tests.surfaces.documents.website import Website

FIXTURES = Path(__file__).parents[2] / "reading" / "fixtures"
HORN = "The horn sounds every thirty seconds when visibility is below two miles."
PAGE = """<!doctype html><html><head><title>Station</title><style>p { color: red }</style></head>
<body><header>Site header</header><nav><a href="/">Menu entry</a></nav>
<main><h1>Fog &amp; rain</h1><p>Sound the <a href="/horn">horn</a> often.</p>
<ul><li>Check the wick</li><li>Check the tank</li></ul>
<script>track("visitor")</script></main><footer>Imprint</footer></body></html>"""


@pytest.mark.requirement(
    "documents.types.url",
    "documents.types.url-html-cleaned",
    "documents.types.url-headings",
    "documents.types.url-links-and-lists",
)
def test_a_web_page_is_read_for_its_content(reading_room: Desk, site: Website) -> None:
    id = reading_room.url(site.put("/fog", PAGE))
    reading_room.read()
    assert reading_room.ready(id)["type"] == "url"
    (result,) = reading_room.search("horn")
    assert result["content"] == (
        f"# Fog & rain\n\nSound the [horn]({site.address}/horn) often.\n\n"
        "- Check the wick\n- Check the tank"
    )
    assert result["metadata"]["headings"] == ["Fog & rain"]


@pytest.mark.requirement("documents.types.url-failure")
def test_a_web_page_that_does_not_answer_well(reading_room: Desk, site: Website) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        silent = f"http://127.0.0.1:{free.getsockname()[1]}/"
        ids = {
            "404": reading_room.url(f"{site.address}/missing"),
            "500": reading_room.url(site.put("/broken", "", status=500)),
            "does not answer": reading_room.url(silent),
        }
        reading_room.read()
    for reason, id in ids.items():
        assert reason in reading_room.failed(id)


@pytest.mark.requirement("documents.types.file-pdf", "documents.types.file-docx")
@pytest.mark.parametrize("name", ["handbook.pdf", "handbook.docx", "handbook.html"])
def test_files_of_real_programs_are_read_with_their_structure(
    reading_room: Desk, name: str
) -> None:
    id = reading_room.file(name, (FIXTURES / name).read_bytes())
    reading_room.read()
    assert reading_room.ready(id)["type"] == "file"
    found = {tuple(r["metadata"]["headings"]): r for r in reading_room.search("horn")}
    top = "Handbook of the Lighthouse"
    assert found.keys() == {(top,), (top, "Lamp oil"), (top, "Fog signal")}
    fog = found[top, "Fog signal"]
    assert HORN in fog["content"]
    assert "horn --interval 30\nbell --interval 15" in fog["content"]
    assert fog["metadata"]["page"] == (1 if name.endswith("pdf") else None)
    assert "Check the wick" in found[top, "Lamp oil"]["content"]


@pytest.mark.requirement("documents.types.file-md", "documents.types.file-txt")
def test_text_in_any_usual_encoding_is_read(reading_room: Desk) -> None:
    western = "# Café\n\nThe “crème” costs 5 €, says the naïve keeper."
    chinese = "灯塔的油每晚烧九升，每天晚上都要在日志里写下油位。" * 3
    cases: tuple[tuple[str, str, str, list[str]], ...] = (
        ("a.md", "utf-8", western, ["Café"]),
        ("a.txt", "utf-8", western, []),
        ("a.txt", "utf-16", western, []),
        ("a.txt", "utf-16-le", western, []),
        ("a.txt", "cp1252", western, []),
        ("a.txt", "gb18030", chinese, []),
    )
    for number, (name, encoding, text, _) in enumerate(cases):
        reading_room.file(name, text.encode(encoding), workspace=f"ws_{number}")
    reading_room.read()
    for number, (_, encoding, text, headings) in enumerate(cases):
        (result,) = reading_room.search("price", f"ws_{number}")
        assert (result["content"], result["metadata"]["headings"]) == (text, headings), encoding


def scanned() -> bytes:
    """A page with nothing on it that is text."""
    document = pypdfium2.PdfDocument.new()
    document.new_page(595, 842)
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


@pytest.mark.requirement("documents.types.file-unsupported", "documents.status.empty-content")
def test_what_cannot_be_read_says_why(reading_room: Desk) -> None:
    handbook = (FIXTURES / "handbook.pdf").read_bytes()
    ids = {
        "an image": reading_room.file("a.png", b"\x89PNG\r\n\x1a\n" + bytes(100)),
        "an archive": reading_room.file("a.zip", b"PK\x03\x04" + bytes(100)),
        "a program": reading_room.file("a.bin", b"\x7fELF" + bytes(100)),
        "PDF is damaged": reading_room.file("cut.pdf", b"%PDF-1.7\n" + handbook[3000:4000]),
        "DOCX file is damaged": reading_room.file("a.docx", b"PK\x03\x04" + bytes(100)),
        "has no text": reading_room.file("scan.pdf", scanned()),
        "not text": reading_room.file("a.txt", bytes(range(32)) * 40),
    }
    reading_room.read()
    for reason, id in ids.items():
        assert reason in reading_room.failed(id)


@pytest.mark.requirement("documents.types.page", "documents.types.page-title")
def test_a_page_has_its_title_as_first_heading(reading_room: Desk) -> None:
    id = reading_room.page("Lamp oil", "Nine litres a night.\n\n## Refill\n\n" + "At dusk. " * 20)
    reading_room.read()
    assert reading_room.ready(id)["type"] == "page"
    found = {tuple(r["metadata"]["headings"]): r["content"] for r in reading_room.search("oil")}
    assert any(content.startswith("# Lamp oil\n\nNine litres") for content in found.values())
    assert all(headings[0] == "Lamp oil" for headings in found)
