"""References: written shortly, read back as what they were, whatever they are written like."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import InvalidArgument
from commonplace.model.entry import EntryKind
from commonplace.model.references import (
    Portion,
    ReferenceKind,
    ShortReference,
    of_document,
    of_entry,
    of_file,
    of_symbol,
    parse_reference,
)

ID = "1a2b3c4d-5e6f-4a1b-8c2d-0123456789ab"
HEX = ID.replace("-", "")


@pytest.mark.parametrize(
    ("kind", "id", "written", "beginning"),
    [
        (EntryKind.NOTE, ID, "note:1a2b3c4d5e", "1a2b3c4d-5e"),
        (EntryKind.SKILL, f"kp:skill:{ID}", "skill:1a2b3c4d5e", "kp:skill:1a2b3c4d-5e"),
        (EntryKind.UNIT, f"kp:trace:{ID}", "unit:trace-1a2b3c4d5e", "kp:trace:1a2b3c4d-5e"),
        (EntryKind.NOTEBOOK_NOTE, f"note_{HEX}", "notebook:1a2b3c4d5e", "note_1a2b3c4d5e"),
        (EntryKind.RECORD, f"entry_{HEX}", "record:1a2b3c4d5e", "entry_1a2b3c4d5e"),
        (EntryKind.ITEM, "ki-1718000000000-ab12cd", "item:ki-1718000000000-ab12cd", None),
        (EntryKind.NOTE, "imported from elsewhere#1", "note:imported%20from%20elsewhere%231", None),
        (EntryKind.NOTE, "abc", "note:abc", None),
        (EntryKind.UNIT, "odd", "unit:odd", None),
    ],
)
def test_an_entry_has_a_short_reference_that_finds_its_id(
    kind: EntryKind, id: str, written: str, beginning: str | None
) -> None:
    reference = of_entry(kind, id)
    assert str(reference) == written
    assert parse_reference(written) == reference
    assert reference.beginning == (beginning or id)
    assert id.startswith(reference.beginning)


@pytest.mark.parametrize("kind", list(EntryKind))
def test_a_whole_reference_has_all_of_the_id(kind: EntryKind) -> None:
    prefixes = {
        EntryKind.NOTEBOOK_NOTE: f"note_{HEX}",
        EntryKind.RECORD: f"entry_{HEX}",
        EntryKind.SKILL: f"kp:skill:{ID}",
        EntryKind.UNIT: f"kp:sop:{ID}",
    }
    id = prefixes.get(kind, ID)
    reference = of_entry(kind, id, whole=True)
    assert parse_reference(str(reference)).beginning == id


def test_parts_of_a_text_are_written_behind_it() -> None:
    assert str(of_file("shop", "src/cart.py", 10, 20)) == "file:shop/src/cart.py#L10-20"
    assert str(of_file("shop", "src/cart.py", 10, 10)) == "file:shop/src/cart.py#L10"
    assert str(of_document(f"ks_{HEX}").at(Portion(page=3))) == "doc:1a2b3c4d5e#p3"
    assert str(of_entry(EntryKind.NOTE, ID).at(Portion(passage=0))) == "note:1a2b3c4d5e#c0"
    written = str(of_symbol("shop", "src/cart.py", "Cart.add"))
    assert written == "symbol:shop/src/cart.py#Cart.add"
    read = parse_reference(written)
    assert (read.project, read.path, read.symbol) == ("shop", "src/cart.py", "Cart.add")


@pytest.mark.parametrize(
    ("given", "kind", "beginning"),
    [
        (ID, ReferenceKind.NOTE, ID),
        (ID.upper(), ReferenceKind.NOTE, ID),
        ("1a2b3c4d5e", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        ("`1A2B3C4D5E`.", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        (f"commonplace://knowledge/{ID}", ReferenceKind.NOTE, ID),
        (f"commonplace://skill/kp:skill:{ID}", ReferenceKind.SKILL, f"kp:skill:{ID}"),
        ("commonplace://note/1a2b3c4d5e", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        (f"kp:skill:{ID}", ReferenceKind.SKILL, f"kp:skill:{ID}"),
        (f"kp:pattern:{ID}", ReferenceKind.UNIT, f"kp:pattern:{ID}"),
        (f"ks_{HEX}", ReferenceKind.DOC, f"ks_{HEX}"),
        (f"note_{HEX}", ReferenceKind.NOTEBOOK, f"note_{HEX}"),
        (f"entry_{HEX}", ReferenceKind.RECORD, f"entry_{HEX}"),
        ("ki-1718000000000-ab12cd", ReferenceKind.ITEM, "ki-1718000000000-ab12cd"),
        ("rv-1718000000000-ab12cd", ReferenceKind.REVIEW, "rv-1718000000000-ab12cd"),
        (" Note:1a2b3c4d5e ", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        ("commonplace://open/note%3A1a2b3c4d5e", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        ("http://127.0.0.1:8765/open/note:1a2b3c4d5e", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        ("**note:1a2b3c4d5e**", ReferenceKind.NOTE, "1a2b3c4d-5e"),
        ("note:1a2b3c4d5e · decision · Ids", ReferenceKind.NOTE, "1a2b3c4d-5e"),
    ],
)
def test_ids_and_addresses_of_other_dialects_are_taken(
    given: str, kind: ReferenceKind, beginning: str
) -> None:
    reference = parse_reference(given)
    assert (reference.kind, reference.beginning) == (kind, beginning)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("shop/src/cart.py", "file:shop/src/cart.py"),
        ("shop/src/cart.py:10", "file:shop/src/cart.py#L10"),
        ("./shop/src/cart.py:10", "file:shop/src/cart.py#L10"),
        ("shop/src/cart.py:10-20", "file:shop/src/cart.py#L10-20"),
        ("file:shop/src/cart.py:10-20", "file:shop/src/cart.py#L10-20"),
        ("shop/src/cart.py#L10-20", "file:shop/src/cart.py#L10-20"),
        ("/srv/shop/cart.py:7", "file:/srv/shop/cart.py#L7"),
        ("file:shop/odd%3A7", "file:shop/odd%3A7"),
    ],
)
def test_a_file_is_named_as_trace_and_compilers_name_it(written: str, meant: str) -> None:
    assert str(parse_reference(written)) == meant
    assert parse_reference(meant) == parse_reference(written)


@pytest.mark.parametrize(
    ("given", "example"),
    [
        ("file:shop", "a path, as in file:shop/src/cart.py"),
        ("symbol:shop", "a path, as in symbol:shop/src/cart.py#Cart.add"),
        ("commit:shop", "a hash, as in commit:shop/1a2b3c4d5e"),
    ],
)
def test_an_incomplete_reference_is_refused_with_an_example(given: str, example: str) -> None:
    with pytest.raises(InvalidArgument, match=f"needs a project and {example}"):
        parse_reference(given)
    assert parse_reference(example.rpartition(" ")[2]).project == "shop"


@pytest.mark.parametrize(
    "given",
    ["", "  ", "note:", "nonsense", "thing:1", "file:shop", "commit:/x", "note:a#L5-2", "note:a#x",
     "doc:a#p0", "note:a#L0", "commonplace://", "note:1a2b%00", "symbol:shop/a.py#b%00",
     "commonplace://open/http%3A//x%00", "1a2b3c4d5", "defaceable"],
)  # fmt: skip
def test_what_is_no_reference_is_refused_with_what_one_looks_like(given: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        parse_reference(given)
    assert refused.value.field == "reference"
    assert ":" in refused.value.message


@pytest.mark.parametrize(
    "given", ["(" * 500_000 + "x" + ")" * 500_000, "commonplace://open/" * 100_000, "`" * 1_000_000]
)
def test_what_is_too_long_is_refused_at_once_and_not_repeated(given: str) -> None:
    with pytest.raises(InvalidArgument, match="at most") as refused:
        parse_reference(given)
    assert len(str(refused.value)) < 100


kept = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
names = st.text(kept, min_size=1, max_size=30).filter(lambda s: s == s.strip() and "/" not in s)
paths = st.text(kept, min_size=1, max_size=40).filter(lambda s: s == s.strip())


@given(names, paths, st.integers(1, 10**6), st.integers(0, 1000))
def test_every_place_in_a_file_is_read_back(project: str, path: str, first: int, more: int) -> None:
    reference = of_file(project, path, first, first + more)
    assert parse_reference(str(reference)) == reference


@given(st.uuids(), st.sampled_from(list(EntryKind)))
def test_every_id_is_found_by_its_reference(number: UUID, kind: EntryKind) -> None:
    prefixes = {
        EntryKind.NOTEBOOK_NOTE: f"note_{number.hex}",
        EntryKind.RECORD: f"entry_{number.hex}",
        EntryKind.SKILL: f"kp:skill:{number}",
        EntryKind.UNIT: f"kp:pattern:{number}",
        EntryKind.ITEM: f"ki-{number.int % 10**13:013d}-abcdef",
    }
    id = prefixes.get(kind, str(number))
    read = parse_reference(str(of_entry(kind, id)))
    assert id.startswith(read.beginning)
    assert isinstance(read, ShortReference)
