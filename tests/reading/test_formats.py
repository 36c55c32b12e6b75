"""What each reader makes of its format: blocks, headings, pages, and nothing of the text lost."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import SourceTooLarge, SourceUnreadable
from commonplace.model.extract import BlockKind, Extract
from commonplace.reading import formats
from commonplace.reading.charset import decoded
from commonplace.reading.extraction import ReadingLimits, extract
from commonplace.reading.html import read_html
from commonplace.reading.markdown import read_markdown
from commonplace.reading.plain import read_plain
from commonplace.reading.port import Original
from commonplace.text.filenames import DOCUMENT_SUFFIXES, PROSE_SUFFIXES
from tests.reading.hostile import FIXTURES

HEADING, TEXT, LIST, TABLE, CODE = BlockKind


def shown(found: Extract) -> list[tuple[BlockKind, str]]:
    return [(block.kind, found.text[block.start : block.end]) for block in found.blocks]


def test_markdown_blocks_stand_where_they_were_written() -> None:
    text = (
        "---\ntitle: x\n---\n# Lamp *oil*\n\nText with\ntwo lines.\n\nSetext `code`\n---\n"
        "- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\n# no heading\n```\n"
        "    indented\n\n[link]: http://a.example\n"
    )
    found = read_markdown(text)
    assert shown(found) == [
        (TEXT, "---\ntitle: x\n---"),
        (HEADING, "# Lamp *oil*"),
        (TEXT, "Text with\ntwo lines."),
        (HEADING, "Setext `code`\n---"),
        (LIST, "- one\n- two"),
        (TABLE, "| a | b |\n|---|---|\n| 1 | 2 |"),
        (CODE, "```py\n# no heading\n```"),
        (CODE, "    indented"),
        (TEXT, "[link]: http://a.example"),
    ]
    titles = [(block.level, block.title) for block in found.blocks if block.title]
    assert titles == [(1, "Lamp oil"), (2, "Setext code")]


@given(st.text(max_size=400) | st.text(alphabet="#-|`>* \n\tab1.[]()_", max_size=200))
def test_no_markdown_and_no_plain_text_loses_anything(text: str) -> None:
    for found in (read_markdown(text), read_plain(text)):
        parts = [found.text[block.start : block.end] for block in found.blocks]
        assert "".join("".join(parts).split()) == "".join(found.text.split())
        assert all(a.end <= b.start for a, b in zip(found.blocks, found.blocks[1:], strict=False))


def test_html_becomes_what_a_reader_sees() -> None:
    page = """<title> A  page </title><body><nav>menu</nav><article>
    <h2>Head <a class="headerlink" href="#h">¶</a></h2>
    <p>One <b>bold</b> <a href="../x?a=1&amp;b=2">link</a>, <code>f()</code><br>next line</p>
    <ol><li>first<ul><li>inner</li></ul></li><li><p>second</p></li></ol>
    <pre><code>if x:
    pass</code></pre>
    <table><caption>Cap</caption><tr><th>A<th>B</tr><tr><td>1|1<td><p>2</p></tr></table>
    <p hidden>not seen</p><div>loose <span>text</span></div></article></body>"""
    found = read_html(page, "http://a.example/docs/page")
    assert found.title == "A page"
    assert shown(found) == [
        (HEADING, "## Head"),
        (TEXT, "One bold [link](http://a.example/x?a=1&b=2), `f()`\nnext line"),
        (LIST, "1. first\n  - inner\n2. second"),
        (CODE, "```\nif x:\n    pass\n```"),
        (TABLE, "Cap\n| A | B |\n| --- | --- |\n| 1\\|1 | 2 |"),
        (TEXT, "loose text"),
    ]


def test_html_without_a_main_part_is_read_whole() -> None:
    page = "<body><article>short</article><div>" + "long text " * 50 + "</div></body>"
    assert shown(read_html(page))[0] == (TEXT, "short")


def test_layout_tables_are_read_like_any_other_element() -> None:
    page = "<table><tr><td><h2>Head</h2><p>Text.</p></td></tr></table>"
    assert shown(read_html(page)) == [(HEADING, "## Head"), (TEXT, "Text.")]


@pytest.mark.parametrize("name", ["handbook.pdf", "handbook.docx", "handbook.html"])
def test_files_of_real_programs_have_the_same_headings(name: str) -> None:
    found = extract(Original((FIXTURES / name).read_bytes(), name), ReadingLimits())
    headings = [(block.level, block.title) for block in found.blocks if block.title]
    assert headings == [(1, "Handbook of the Lighthouse"), (2, "Lamp oil"), (2, "Fog signal")]
    kinds = [block.kind for block in found.blocks]
    assert CODE in kinds
    assert name.endswith("pdf") or (LIST in kinds and TABLE in kinds)
    assert found.pages == ((0,) if name.endswith("pdf") else ())


def test_wrapped_lines_of_a_pdf_become_sentences_again() -> None:
    data = (FIXTURES / "handbook.pdf").read_bytes()
    found = extract(Original(data, "handbook.pdf"), ReadingLimits())
    assert "new to the station and want to know what is done when and why" in found.text
    assert "• Check the wick\n• Check the tank" in found.text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "naïve"),
        ("utf-16", "naïve 汉字"),
        ("utf-16-be", "naive text without a mark"),
        ("utf-32", "naïve"),
        ("cp1252", "“naïve” – 5 €"),
        ("koi8_r", "Смотритель маяка записывает уровень масла в журнал каждый вечер. " * 3),
        ("shift_jis", "灯台守は毎晩、油の量を日誌に書き込みます。霧が出たら笛を鳴らします。" * 3),
    ],
)
def test_encodings_are_recognised(encoding: str, text: str) -> None:
    assert decoded(text.encode(encoding)) == text


def test_a_declared_encoding_is_believed() -> None:
    page = '<meta charset="windows-1251"><p>Маяк</p>'.encode("cp1251")
    assert extract(Original(page, "a.html"), ReadingLimits()).text == "Маяк"
    declared = Original("Маяк".encode("koi8_r"), "a.txt", "text/plain; charset=koi8-r")
    assert extract(declared, ReadingLimits()).text == "Маяк"


def test_limits_hold() -> None:
    with pytest.raises(SourceTooLarge):
        extract(Original(b"word " * 100, "a.txt"), ReadingLimits(chars=100))
    with pytest.raises(SourceTooLarge):
        extract(Original((FIXTURES / "handbook.pdf").read_bytes(), "a.pdf"), ReadingLimits(pages=0))
    docx = Original((FIXTURES / "handbook.docx").read_bytes(), "a.docx")
    with pytest.raises(SourceTooLarge):
        extract(docx, ReadingLimits(unpacked_bytes=1000))
    with pytest.raises(SourceUnreadable):
        extract(Original(b"  \n", "a.txt"), ReadingLimits())


def test_every_suffix_that_is_read_has_its_format() -> None:
    assert set(formats._SUFFIXES) == PROSE_SUFFIXES | DOCUMENT_SUFFIXES


def test_the_process_that_is_forked_knows_the_classes_of_characters() -> None:
    asked = (
        "import commonplace.reading.parsing;"
        "from commonplace.text.characters import character_classes;"
        "print(character_classes.cache_info().currsize)"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout == "1\n"
