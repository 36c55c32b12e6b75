"""Coming in and going out: links, tokens, the end of a session on both sides, forms of others."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from commonplace.model.actor import Scope
from tests.console.library import ONE_LIBRARY, Library, Reader
from tests.loopback import send

Read = Callable[..., Reader]


def cookie_of(reader: Reader) -> dict[str, str]:
    (kept,) = reader.page.context.cookies()
    return {"Cookie": f"{kept['name']}={kept['value']}"}


def test_signing_out_ends_the_session_on_both_sides(library: Library, read: Read) -> None:
    reader = read()
    cookie = cookie_of(reader)
    assert send("GET", f"{library.origin}/knowledge", headers=cookie).status_code == 200
    reader.press("Sign out")
    reader.sees("Sign in")
    assert reader.page.context.cookies() == []
    assert reader.goto("/knowledge") == 401
    if not library.given:
        assert send("GET", f"{library.origin}/knowledge", headers=cookie).status_code == 401


def test_every_page_is_closed_to_who_has_not_signed_in(library: Library, read: Read) -> None:
    reader = read(signed_in=False)
    for path in ("/", "/knowledge", "/review", "/knowledge/some"):
        assert reader.goto(path) == 401, path
        assert reader.page.get_by_label("Token").is_visible(), "the way in"
    assert reader.goto("/nothing-of-the-kind") == 404
    reader.sees("Nothing is at this address")


def test_a_form_needs_the_key_of_its_session(library: Library, read: Read) -> None:
    reader = read()
    headers = cookie_of(reader) | {"Origin": library.origin}
    note = library.note("Stays", "It stays where it is.")
    address = f"{library.origin}/knowledge/{note.id}/delete"
    for form in ({}, {"form_key": ""}, {"form_key": "0" * 64}):
        answer = httpx.post(address, data=form, headers=headers, trust_env=False)
        assert (answer.status_code, "another session" in answer.text) == (403, True)
    stranger = headers | {"Origin": "http://localhost:1"}
    assert httpx.post(address, data={}, headers=stranger, trust_env=False).status_code == 401
    assert library.current(note.id).deleted_at is None


@ONE_LIBRARY
def test_pages_run_nothing_but_their_own_scripts(library: Library, read: Read) -> None:
    answer = send("GET", f"{library.origin}/", headers=cookie_of(read()))
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert " style=" not in answer.text
    assert "<style" not in answer.text
    assert "<script>" not in answer.text


@ONE_LIBRARY
def test_a_reader_is_offered_nothing_that_would_be_refused(library: Library, read: Read) -> None:
    note = library.note("For readers", "Only to be read.")
    reader = read(signed_in=False)
    token = library.token(frozenset({Scope.READ}))
    reader.goto("/login")
    reader.fill("Token", token)
    reader.press("Sign in")
    reader.is_in()
    reader.goto(f"/knowledge/{note.id}")
    reader.sees("Only to be read.")
    assert reader.page.get_by_role("link", name="Edit").count() == 0
    assert reader.page.get_by_text("Delete").count() == 0
    assert reader.goto("/knowledge/new") == 403
    reader.sees("knowledge:write")
