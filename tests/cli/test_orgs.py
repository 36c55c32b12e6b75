"""The `org` command, and orgs that a typing error does not make."""

from __future__ import annotations

from tests.cli.commands import run_here
from tests.stores import MakeDatabase

TOKEN = ("token", "create", "--agent", "ada", "--scopes", "knowledge:read", "--json")


def test_orgs_are_made_on_purpose(place: dict[str, str]) -> None:
    assert "No org" in run_here(place, "org", "list").stdout
    made = run_here(place, "org", "create", "acme", "--json").document
    assert made == {"org": "acme", "created": True}
    again = run_here(place, "org", "create", "acme", "--json").document
    assert again == {"org": "acme", "created": False}
    assert run_here(place, "org", "list", "--json").document == {"orgs": ["acme"]}
    assert run_here(place, *TOKEN, "--org", "acme").code == 0
    assert run_here(place, "org", "create", "system", "--json").code == 1


def test_a_typing_error_makes_no_org(place: dict[str, str]) -> None:
    run_here(place, "org", "create", "acme")
    for command in (
        (*TOKEN, "--org", "acne"),
        ("quota", "show", "--org", "acne", "--json"),
        ("quota", "set", "5", "--org", "acne", "--json"),
        ("plan", "assign", "acne", "--json"),
    ):
        refused = run_here(place, *command)
        problem = refused.document["error"]
        assert (refused.code, problem["code"]) == (1, "knowledge.not_found"), command
        assert "known are acme, local" in problem["message"]
    assert run_here(place, "org", "list", "--json").document == {"orgs": ["acme"]}
    assert run_here(place, *TOKEN, "--org", "acne", "--new-org").code == 0


def test_the_first_token_says_what_it_closes(place: dict[str, str]) -> None:
    first = run_here(place, *TOKEN, "--org", "local")
    if "COMMONPLACE_DATABASE_URL" in place:
        assert first.stderr == "", "a team's door was never open"
        return
    assert "clients on this machine need a token" in first.stderr
    assert "COMMONPLACE_LOCAL_ACCESS=always" in first.stderr
    assert run_here(place, *TOKEN, "--org", "local").stderr == ""
    always = place | {"COMMONPLACE_LOCAL_ACCESS": "always"}
    for token in run_here(place, "token", "list", "--json").document["tokens"]:
        run_here(place, "token", "revoke", token["id"])
    assert run_here(always, *TOKEN, "--org", "local").stderr == ""


def test_an_org_is_moved(place: dict[str, str], make_database: MakeDatabase) -> None:
    run_here(place, "org", "create", "acme")
    run_here(place, *TOKEN, "--org", "acme")
    other = make_database("postgres").address
    moved = run_here(place, "org", "move", "acme", "--to", other, "--json")
    if "COMMONPLACE_DATABASE_URL" not in place:
        assert moved.document["error"]["code"] == "validation.invalid_argument"
        assert "commonplace export --org" in moved.document["error"]["message"]
        return
    assert (moved.code, moved.document["org"]) == (0, "acme")
    assert moved.document["rows"] == sum(moved.document["counts"].values()) > 0
    there = place | {"COMMONPLACE_DATABASE_URL": other}
    assert run_here(there, "org", "list", "--json").document == {"orgs": ["acme"]}
    assert run_here(place, "org", "list", "--json").document == {"orgs": []}
    gone = run_here(place | {"COMMONPLACE_ORG": "acme"}, "list", "--json")
    assert gone.document["error"]["code"] == "storage.org_moved"


def test_an_org_is_moved_to_postgresql_only(place: dict[str, str]) -> None:
    for arguments in (("acme", "--to", "/tmp/other.db"), ("system", "--to", "postgresql://x")):
        refused = run_here(place, "org", "move", *arguments, "--json")
        assert (refused.code, refused.document["error"]["code"]) == (
            1,
            "validation.invalid_argument",
        )
