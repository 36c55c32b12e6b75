"""What every entry must satisfy, and who may change it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from commonplace.errors import InvalidArgument, NotFound, NotOwner
from commonplace.knowledge.rules import (
    MAX_BODY,
    MAX_TAG,
    MAX_TAGS,
    MAX_TITLE,
    checked,
    permitted,
    present,
)
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.model.entry import EntryContent
from commonplace.model.rights import Verb
from tests.unit.knowledge.samples import NOW, entry

WITHOUT_OTHERS = ALL_SCOPES - {Scope.WRITE_OTHERS}


def content(**given: Any) -> EntryContent:
    return EntryContent(**{"title": "A title", "body": "A body", **given})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", " \t\n"),
        ("title", "\u3000\u00a0"),
        ("title", "x" * (MAX_TITLE + 1)),
        ("title", "nul \0 inside"),
        ("body", "half a pair \ud83d"),
        ("body", ""),
        ("body", "b" * (MAX_BODY + 1)),
        ("tags", ("",)),
        ("tags", ("  ",)),
        ("tags", ("t" * (MAX_TAG + 1),)),
        ("tags", tuple(f"tag{n}" for n in range(MAX_TAGS + 1))),
        ("confidence", -0.01),
        ("confidence", 1.01),
        ("confidence", float("nan")),
        ("expires_at", NOW),
        ("expires_at", NOW - timedelta(microseconds=1)),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        checked(content(**{field: value}), NOW)
    assert caught.value.field == field
    assert field in caught.value.message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "x" * MAX_TITLE),
        ("title", "見出し"),
        ("body", "👩‍👩‍👧 emoji, ünï, עברית, ไทย"),
        ("tags", tuple(f"tag{n}" for n in range(MAX_TAGS))),
        ("tags", ("t" * MAX_TAG,)),
        ("confidence", 0.0),
        ("confidence", 1.0),
        ("expires_at", NOW + timedelta(microseconds=1)),
    ],
)
def test_bounds_themselves_are_allowed(field: str, value: object) -> None:
    assert getattr(checked(content(**{field: value}), NOW), field) == value


def test_text_is_stored_in_one_unicode_form() -> None:
    stored = checked(content(title="Cafe\u0301", tags=("re\u0301sume\u0301",)), NOW)
    assert stored.title == "Café"
    assert stored.tags == ("résumé",)


def test_the_length_that_counts_is_that_of_the_stored_form() -> None:
    title = "e\u0301" * MAX_TITLE
    assert len(checked(content(title=title), NOW).title) == MAX_TITLE


def test_equal_tags_are_kept_once_in_their_order() -> None:
    stored = checked(content(tags=("b", "a", "b", "Cafe\u0301", "Café")), NOW)
    assert stored.tags == ("b", "a", "café")


def test_the_author_may_write_without_the_scope_over_others() -> None:
    mine = entry(1)
    assert permitted(mine, Actor("acme", "alice", WITHOUT_OTHERS), Verb.CHANGE) is mine


def test_others_need_the_scope() -> None:
    mine = entry(1)
    assert permitted(mine, Actor("acme", "bob", ALL_SCOPES), Verb.CHANGE) is mine
    with pytest.raises(NotOwner):
        permitted(mine, Actor("acme", "bob", WITHOUT_OTHERS), Verb.CHANGE)


def test_what_belongs_to_another_org_does_not_exist() -> None:
    with pytest.raises(NotFound):
        permitted(entry(1), Actor("umbrella", "alice", ALL_SCOPES), Verb.CHANGE)
    with pytest.raises(NotFound):
        permitted(None, Actor("acme", "alice", ALL_SCOPES), Verb.CHANGE)


def test_a_deleted_entry_is_not_present() -> None:
    with pytest.raises(NotFound):
        present(entry(1, deleted_at=NOW))
    assert present(entry(1)).id == "e1"
