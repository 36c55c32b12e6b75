"""Whatever reads foreign text or bytes: its cost grows no faster than what it reads."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from contextlib import suppress
from math import inf
from xml.sax.saxutils import escape

import pytest

from commonplace.analysis.confidence import DEFAULT_WEIGHTS, assess
from commonplace.capture.about import file_context_of, project_of, title_of
from commonplace.capture.blocks import candidates
from commonplace.capture.comments import uncommented
from commonplace.capture.finding import CaptureRequest, decide, draft
from commonplace.capture.likeness import fingerprint
from commonplace.capture.secrets import mask_secrets
from commonplace.clients import json_text, markdown_text, toml_text
from commonplace.clients.transcripts import turns_of
from commonplace.codegraph.answering.forms import read_trace
from commonplace.codegraph.answering.question import read_question
from commonplace.codegraph.extraction.conditionals import alternatives
from commonplace.codegraph.extraction.languages import LANGUAGES
from commonplace.codegraph.extraction.scripts import scripts_of
from commonplace.codegraph.resolution.builds import modules_of, source_roots
from commonplace.codegraph.resolution.layout import layout_of
from commonplace.codegraph.scip.compiler_links import Defined, uses_in
from commonplace.codegraph.scip.format import (
    Document,
    Occurrence,
    ScipRange,
    documents_of,
    index_chunks,
)
from commonplace.codegraph.scip.protobuf import fields
from commonplace.console.diffs import line_diff
from commonplace.console.markdown import rendered
from commonplace.console.words import marked
from commonplace.errors import CommonplaceError
from commonplace.memory.comparing import contradiction, says_the_same
from commonplace.memory.files import inserted, replaced
from commonplace.memory.pieces import Selection, excerpt, pieces_of_body, selected
from commonplace.memory.thoughts import title_in
from commonplace.model.canonical import CanonicalTable
from commonplace.model.references import parse_reference
from commonplace.operations.transfer.basic_memory import read_note
from commonplace.operations.transfer.jsonl import read_line
from commonplace.operations.transfer.memory_graph import MemoryGraph
from commonplace.reading.docx import read_docx
from commonplace.reading.globs import rules_of
from commonplace.reading.html import read_html
from commonplace.reading.markdown import read_markdown
from commonplace.reading.pdf import read_pdf
from commonplace.reading.plain import read_plain
from commonplace.reading.tracked import index_in
from commonplace.recall.excerpt import excerpt as answering
from commonplace.registry.skill import parse_skill
from commonplace.safety.examine import ExaminedText, findings
from commonplace.text.analyse import analyse, exact_words
from commonplace.text.context_tokens import estimate_context_tokens
from commonplace.text.count import estimate_tokens
from commonplace.text.markdown import without_code
from commonplace.text.nearest import nearest
from commonplace.text.snippet import snippet
from commonplace.text.split import split_passages
from commonplace.workspace.indexing.cutting import parts_of
from commonplace.workspace.indexing.drafts import prose_drafts
from commonplace.workspace.indexing.opening import opening_of
from tests.growth.cost import looks
from tests.reading import hostile

Reader = Callable[[str], object]
TABLE = CanonicalTable(
    name="entries",
    columns=("id", "title", "data"),
    key=None,
    references={},
    after=frozenset(),
    unique=(),
    binary=frozenset({"data"}),
    plain=frozenset(),
)
LENGTH = 4_000
GROWN = 4
LINEAR = GROWN * 2.5  # a quadratic cost would grow by GROWN squared
TRIES = 10
CHEAP = 300  # looks at a character; nothing below is worth a second look

READERS: dict[str, Reader] = {
    "secrets": mask_secrets,
    "assess": assess,
    "comments": uncommented,
    "candidates": candidates,
    "project": project_of,
    "title": title_of,
    "file": file_context_of,
    "fingerprint": fingerprint,
    "question": read_question,
    "form": read_trace,
    "analyse": analyse,
    "words": exact_words,
    "tokens": estimate_tokens,
    "passages": lambda text: split_passages(text, max_tokens=300),
    "snippet": lambda text: snippet(text, "needle in the hay"),
    "safety": lambda text: findings([ExaminedText(("body",), text)]),
    "without code": without_code,
    "skill": lambda text: parse_skill(f"---\nname: a\ndescription: {text}\n---\n{text}"),
    "front matter": lambda text: parse_skill(f"---\n{text}\n---\nbody"),
    "memory note": lambda text: read_note("a.md", text),
    "manifest": lambda text: layout_of({"package.json": text, "tsconfig.json": "{" + text}),
    "build files": lambda text: modules_of(
        {"pom.xml": text, "settings.gradle": text, "build.gradle.kts": text}
    ),
    "project file": lambda text: list(source_roots("pyproject.toml", text)),
    "html": read_html,
    "markdown": read_markdown,
    "plain": lambda text: prose_drafts(read_plain(text), "a.txt"),
    # Parsing code is dear where nothing closes; it is done apart, and ended when it takes long.
    "lines": parts_of,
    "opening": lambda text: opening_of(text, "typescript"),
    "protobuf": lambda text: list(fields(text.encode("utf-8", "replace"))),
    "git index": lambda text: index_in(b"DIRC\0\0\0\4\0\0\xff\xff" + text.encode()),
    "ignore file": lambda text: rules_of(text.encode("utf-8", "replace")),
}


def imported(text: str) -> None:
    """Lines of an export: one long value, and the same as bytes."""
    read_line({"entries": TABLE}, json.dumps({"table": "entries", "row": {"title": text}}))
    row = {"data": base64.b64encode(text.encode("utf-8", "replace")).decode()}
    read_line({"entries": TABLE}, json.dumps({"table": "entries", "row": row}))
    read_line({"entries": TABLE}, text)


def graph_of(text: str) -> None:
    """Lines of another server's export: one thing with ever more to say about it."""
    graph = MemoryGraph()
    for number in range(0, len(text), 4):
        said = f"{text[number : number + 4]}{number}"
        graph.add(json.dumps({"type": "entity", "name": "a", "observations": [said]}))
        graph.add(json.dumps({"type": "relation", "from": "a", "to": said, "relationType": "b"}))
    list(graph.rows())


def index_of(text: str) -> None:
    """A code index of one document, with an occurrence for every few characters."""
    symbols = [text[start : start + 20] for start in range(0, len(text), 20)]
    places = [ScipRange(line, 0, 20) for line in range(len(symbols))]
    found = tuple(Occurrence(*one) for one in zip(places, symbols, strict=True))
    for document in documents_of(
        b"".join(index_chunks([Document("a.py", "python", found)], "", "1"))
    ):
        uses_in(document, Defined({}))


def docx_of(text: str) -> None:
    """One paragraph, then many, then what is no XML."""
    runs = [escape(text[start : start + 20]) for start in range(0, len(text), 20)]
    paragraphs = "".join(f"<w:p><w:r><w:t>{run}</w:t></w:r></w:p>" for run in runs)
    for inner in (f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>", paragraphs, text):
        with suppress(CommonplaceError):
            read_docx(hostile.docx(hostile.body(inner)), 100_000_000)


def pdf_of(text: str) -> None:
    """One line, then many, then what is no content of a page."""
    data = text.encode("latin-1", "replace")
    plain = re.sub(rb"[()\\]", b"x", data)
    lines = b"".join(b"0 -9 Td (%s) Tj " % plain[at : at + 20] for at in range(0, len(plain), 20))
    for content in (b"BT /F 9 Tf (%s) Tj ET" % plain, b"BT /F 9 Tf %s ET" % lines, data):
        with suppress(CommonplaceError):
            read_pdf(hostile.page(hostile.stream(content)), 100, 1_000_000)


def between(text: str, put: str) -> str:
    """The text with something else between its lines, or its words where it is one line."""
    lines = text.splitlines(keepends=True)
    return put.join(lines if len(lines) > 1 else text.split(" "))


def repaired(text: str) -> None:
    """Code on which a grammar breaks: each repair of it, and the alternatives of its conditions."""
    source = text.encode("utf-8", "replace")
    for repair in {repair for each in LANGUAGES for repair in each.repairs}:
        repair(source)
    for put in ("\n#if A\n", "\n#else\n", "\n#endif\n"):
        list(alternatives(between(text, put).encode("utf-8", "replace")))


def opened_whole(text: str) -> None:
    """As `open` shows an entry: its headings, a section with its neighbours, a part that fits."""
    pieces = pieces_of_body(text)
    excerpt(selected(pieces, Selection(around=1)), 100)


def compared(text: str) -> None:
    """As `remember` compares a thought with one that is known."""
    subject = "the harvester waits for water"
    contradiction(f"{subject} 1 {text} 2", f"{subject} 3 {between(text, ' x ')} 4")
    says_the_same(text, between(text, " x "))


def transcript_of(text: str) -> None:
    """The file that a client keeps of a session: the text said in it, and as the whole of it."""
    turn = {"type": "user", "message": {"role": "user", "content": [{"text": text}]}}
    turns_of(f"{json.dumps(turn)}\n{text}")


def edited(text: str) -> None:
    """A file under /memories: an edit that fits in many places, and one that fits nowhere."""
    for old in (text[:1], f"{text}y"):
        with suppress(CommonplaceError):
            replaced("/memories/a", text, old, "b")
    inserted(text, 0, text)


def settings_of(text: str) -> None:
    """Files of clients that `connect` writes one entry into."""
    for shown in (f'{{"a": {json.dumps(text)}, {text}', f"{{// {text}\n}}", f"/*{text}*/ {{}}"):
        with suppress(ValueError):
            json_text.drop(json_text.put(shown, ("servers", "commonplace"), {"a": 1}), ("servers",))
    with suppress(ValueError):
        toml_text.drop(toml_text.put(f"# {text}\n", ("a", "b"), {"c": "d"}), ("a", "b"))
    with suppress(ValueError):
        toml_text.put(text, ("a", "b"), {"c": "d"})
    markdown_text.drop(markdown_text.put(text, "Ask the memory."))


READERS |= {
    "repaired code": repaired,
    "opened": opened_whole,
    "compared": compared,
    "transcript": transcript_of,
    "settings of clients": settings_of,
    "page": rendered,
    "marked words": lambda text: marked(text, "the harvest waits"),
    "lines that differ": lambda text: line_diff(text, between(text, "b\n")),
    "answering lines": lambda text: answering(text, {"the": 1.0, "a": 0.5}, 50),
    "tokens of an agent": estimate_context_tokens,
    "reference": lambda text: parse_reference(f"note:{text}"),
    "title of a thought": title_in,
    "near names": lambda text: nearest(text[:150], text.split(text[7:8] or " "), 3),
    "import": imported,
    "memory graph": graph_of,
    "code index": index_of,
    "docx": docx_of,
    "pdf": pdf_of,
    "edited memory file": edited,
}
# The library lays pages of nothing but blanks out in quadratic time. It does so in a child process,
# which is ended when it takes long. Names of TOML with thousands of dots are read in quadratic time
# by Python itself: in a command of the person whose file it is.
DEAR = {
    "pdf": (" ", "\n", "\t", "\n \n", "- ", "- - ", "\0"),
    "settings of clients": ("e.g. ", "a."),
}
PARTS = [
    "a", "1", "!", ".", "…", " ", "\n", "'", "_", "\\", "é", "\u0301", "中", "(", "[", "{", '"',
    "`", "<", "*", "#", "/*", "//\n", "<!--", "[a](", "](", "**", "- ", "- - ", "> ", "a: ",
    "- a\n", "# a\n", "ok ",
    "&a=", "e.g. ", "the ", "<p>", "<b>", "<ul><li>", "</", "```\n", "~~~\n", "|a|b|\n", "a=b; ",
    "\x80", "<dependency>", "<build>", "<module>a", "a.",
    "sessa=b; cookie: auth-", "token secret: ", "-pwd", "passwort ", "in ", "file : ", "\\u0041",
    "if a:\n", "def a():\n", "f(", "=>", "\t", "\0", "\n \n", "x" * 250 + " ", "*a" * 20 + "\n",
]  # fmt: skip


def parts_for(name: str) -> list[str]:
    return [part for part in PARTS if part not in DEAR.get(name, ())]


def text_of(part: str, length: int) -> str:
    return part * (length // len(part)) + "x"


def cost(reader: Reader, part: str, length: int, times: int = 1) -> float:
    text = text_of(part, length)

    def read() -> None:
        with suppress(CommonplaceError, ValueError):
            reader(text)

    return looks(read, len(text), times)


def check(reader: Reader, part: str, length: int = LENGTH) -> str:
    """What is wrong with the cost, if so.

    Whatever else the machine does can only add to it, so of many tries the least is the truth.
    """
    long = short = inf
    grown = inf
    for _ in range(TRIES):
        long = min(long, cost(reader, part, GROWN * length))
        if long < CHEAP:
            return ""
        short = min(short, cost(reader, part, length))
        grown = GROWN * long / short
        if grown < LINEAR:
            return ""
    return f"{part!r}: {long:.0f} looks at a character, {grown:.1f} times as dear"


@pytest.mark.parametrize("name", READERS)
def test_reading_costs_no_more_than_the_length(name: str) -> None:
    with suppress(CommonplaceError, ValueError):
        READERS[name]("what is remembered is read before anything is measured")
    assert [said for part in parts_for(name) if (said := check(READERS[name], part))] == []


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_reading_costs_no_more_than_a_greater_length(name: str) -> None:
    assert [said for part in parts_for(name) if (said := check(READERS[name], part, 20_000))] == []


def test_scripts_that_begin_and_never_end() -> None:
    """The end was looked for behind each beginning: minutes for a component of a megabyte."""
    short, long = (
        cost(lambda text: scripts_of(text.encode()), "<script ", length, TRIES)
        for length in (20_000, GROWN * 20_000)
    )
    assert GROWN * long / short < LINEAR


def test_lists_in_each_other() -> None:
    """The parser looks through all that are open for each that begins."""
    short, long = (
        cost(READERS["html"], "<ul><li>", length, TRIES) for length in (20_000, GROWN * 20_000)
    )
    assert GROWN * long / short < LINEAR


def test_a_name_of_many_dots() -> None:
    """Python reads it in the square of its dots; a project file of 80 kB took 17 seconds."""
    short, long = (
        cost(READERS["project file"], "a.", length, TRIES) for length in (3_000, GROWN * 3_000)
    )
    assert GROWN * long / short < LINEAR


def test_a_text_of_many_moments() -> None:
    """Each was compared with each before it, number by number: minutes for a megabyte."""

    def deciding(count: int) -> float:
        names = (f"{at:b}".translate({48: "o", 49: "i"}) for at in range(count))
        text = "\n\n".join(f"Gotcha: the {name} buffer blocks while it is read." for name in names)
        drafted = draft(text, DEFAULT_WEIGHTS)
        vectors = [[float(at == one) for one in range(384)] for at in range(count)]
        sought = CaptureRequest(text, 0.01, False, None, 1).sought(DEFAULT_WEIGHTS, None)
        return looks(lambda: decide(drafted, vectors, sought), len(text), times=3)

    assert deciding(320) < 2 * deciding(40)


def test_a_name_of_many_underscores_is_no_password_at_once() -> None:
    """Each of them doubled the time: 22 took half a second, 40 a day, and nobody else was
    answered."""
    mask_secrets("the password is what is remembered before anything is measured")
    text = "the password is " + "a_" * 24 + "1:-"
    assert looks(lambda: mask_secrets(text), len(text)) < 5_000


@pytest.mark.parametrize("part", ["sessa=b; cookie: auth-", "password token 1 1 1 1 1 "])
def test_the_texts_that_froze_a_server(part: str) -> None:
    """44 and 13 seconds a megabyte, while nobody else was answered; now they cost as any other."""
    attack = (part * 50_000)[:100_000]
    mask_secrets("cookie: what is remembered is read before anything is measured")
    assert looks(lambda: mask_secrets(attack), len(attack)) < 500
