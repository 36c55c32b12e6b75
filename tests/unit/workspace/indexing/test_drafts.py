"""Chunks of real code in every language have the symbol, the lines and the words of their file."""

from __future__ import annotations

import json

import pytest

from commonplace.codegraph.extraction.languages import LANGUAGES, Language
from commonplace.errors import SourceUnreadable
from commonplace.model.chunk import ChunkDraft, Urgency
from commonplace.model.workspace import KnowledgeType
from commonplace.reading.markdown import read_markdown
from commonplace.workspace.indexing.drafts import (
    chunks_of_text,
    content_hash,
    drafts_in,
    file_language,
    is_current,
    is_prose,
    is_wanted,
    prose_drafts,
    text_drafts,
)

# A class or its like with a method `settle`, and a function `refund` beside it.
SAMPLES = {
    "ts": "class Ledger {\n  settle(x: number) {\n%s  }\n}\n\nexport function refund() {\n%s}\n",
    "js": "class Ledger {\n  settle(x) {\n%s  }\n}\n\nfunction refund() {\n%s}\n",
    "python": "class Ledger:\n    def settle(self, x):\n%s\n\ndef refund():\n%s\n",
    "java": "class Ledger {\n  void settle(int x) {\n%s  }\n  void refund() {\n%s  }\n}\n",
    "go": "package p\n\nfunc settle() {\n%s}\n\nfunc refund() {\n%s}\n",
    "rust": "fn settle() {\n%s}\n\nfn refund() {\n%s}\n",
    "c": "void settle(void) {\n%s}\n\nvoid refund(void) {\n%s}\n",
    "cpp": "void settle() {\n%s}\n\nvoid refund() {\n%s}\n",
    "csharp": "class Ledger {\n  void Settle() {\n%s  }\n  void Refund() {\n%s  }\n}\n",
    "ruby": "class Ledger\n  def settle\n%s  end\n  def refund\n%s  end\nend\n",
    "php": "<?php\nfunction settle() {\n%s}\n\nfunction refund() {\n%s}\n",
    "kotlin": "class Ledger {\n  fun settle() {\n%s  }\n  fun refund() {\n%s  }\n}\n",
    "swift": "class Ledger {\n  func settle() {\n%s  }\n  func refund() {\n%s  }\n}\n",
    "scala": "class Ledger {\n  def settle() = {\n%s  }\n  def refund() = {\n%s  }\n}\n",
    "dart": "class Ledger {\n  void settle() {\n%s  }\n  void refund() {\n%s  }\n}\n",
    "lua": "local function settle()\n%send\n\nfunction refund()\n%send\n",
    "shell": "settle() {\n%s}\n\nrefund() {\n%s}\n",
    "sql": "CREATE FUNCTION settle() RETURNS INT AS $$ /*\n%s*/ SELECT 1 $$ LANGUAGE sql;\n\n"
    "CREATE FUNCTION refund() RETURNS INT AS $$ /*\n%s*/ SELECT 1 $$ LANGUAGE sql;\n",
    "vue": "<script>\nfunction settle() {\n%s}\n\nfunction refund() {\n%s}\n</script>\n",
}
EXTENSION = "static class E {\n  public static int Twice(this string text, int n) => n * 2;\n}\n"
SAMPLES["tsx"] = SAMPLES["ts"]
SAMPLES["svelte"] = SAMPLES["vue"]


def statements(count: int, indent: str = "        ") -> str:
    return "".join(f"{indent}call(number_{n});\n" for n in range(count))


def shown(drafts: list[ChunkDraft]) -> list[str]:
    return [draft.symbol.path.lower() if draft.symbol else "" for draft in drafts]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_symbols_are_parts_in_every_language(language: Language) -> None:
    name, extension = language.name, language.extensions[0]
    body = statements(60)
    source = SAMPLES[name] % (body, body)

    drafts = text_drafts(f"src/file{extension}", source.encode())

    marks = shown(drafts)
    assert any(mark.split(".")[-1] == "settle" for mark in marks), marks
    assert any(mark.split(".")[-1] == "refund" for mark in marks), marks
    assert file_language(f"src/file{extension}") == name
    lines = source.splitlines()
    for draft in drafts:
        first, last = draft.position.line_start, draft.position.line_end
        assert first is not None
        assert last is not None
        assert draft.text.splitlines()[0] in lines[first - 1]
        assert draft.text.splitlines()[-1] in lines[last - 1]
        assert draft.urgency is Urgency.BULK
        assert "file" in draft.indexed.context_terms


def test_what_the_child_process_says_is_read_back() -> None:
    source = (SAMPLES["ts"] % (statements(3), statements(80))).encode()
    said = json.loads(json.dumps(chunks_of_text({"path": "a.ts"}, source)))
    assert drafts_in(said) == text_drafts("a.ts", source)


def test_a_file_is_embedded_with_its_name_and_folder() -> None:
    source = (SAMPLES["ts"] % (statements(3), statements(3))).encode()
    code = text_drafts("shop/source/lib/pay/here.ts", source)
    assert [draft.context.partition("\n")[0] for draft in code] == ["pay/here.ts"] * len(code)
    prose = prose_drafts(read_markdown("# Paying\n\nBy card."), "docs/paying.md")
    assert [draft.context for draft in prose] == ["docs/paying.md"]


def test_a_file_keeps_its_vectors_when_a_folder_above_it_moves() -> None:
    source = (SAMPLES["ts"] % (statements(3), statements(3))).encode()
    here, there = text_drafts("a/pay/card.ts", source), text_drafts("b/pay/card.ts", source)
    assert [draft.text_hash for draft in here] == [draft.text_hash for draft in there]
    assert here[0].indexed.context_terms != there[0].indexed.context_terms
    renamed = text_drafts("a/pay/cash.ts", source)
    hashes = {draft.text_hash for draft in here}
    assert hashes.isdisjoint(draft.text_hash for draft in renamed)


def test_a_method_says_whose_it_is() -> None:
    source = (SAMPLES["java"] % (statements(60), statements(60))).encode()
    contexts = {draft.context for draft in text_drafts("Ledger.java", source)}
    assert {"Ledger.java\nLedger.settle", "Ledger.java\nLedger.refund"} <= contexts


def test_binary_is_nothing_and_minified_is_told() -> None:
    assert text_drafts("a.ts", b"\0\1\2") == []
    assert text_drafts("LICENSE", b"") == []
    with pytest.raises(SourceUnreadable, match="minified"):
        text_drafts("a.js", b"x=1;" * 50_000)


def test_other_encodings_and_line_ends_are_read() -> None:
    (wide,) = text_drafts("a.sql", "select 'ä';\r\nselect 2;\r\n".encode("utf-16"))
    (latin,) = text_drafts("b.sql", "select 'ä';".encode("latin-1"))
    assert wide.text == "select 'ä';\nselect 2;"
    assert latin.text == "select 'ä';"


def test_files_are_told_apart_by_their_names() -> None:
    assert is_prose("README.MD")
    assert not is_prose("a.ts")
    assert is_wanted("a.pdf", KnowledgeType.DOCS)
    assert not is_wanted("a.pdf", KnowledgeType.CODE)
    assert is_current(content_hash(b""))
    assert not is_current("")


def test_a_file_with_extension_methods_has_chunks() -> None:
    (chunk,) = text_drafts("E.cs", EXTENSION.encode())
    assert "Twice" in chunk.text
