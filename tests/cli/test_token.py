"""The `token`, `quota` and `plan` commands, for people and for programs."""

from __future__ import annotations

from datetime import datetime

import pytest

from commonplace.access.tokens import well_formed
from tests.cli.commands import Outcome, run_here

MAKE = ("token", "create", "--new-org", "--org", "acme", "--agent", "ada", "--scopes")


def code_of(outcome: Outcome) -> str:
    assert outcome.code == 1
    code: str = outcome.document["error"]["code"]
    return code


def test_a_token_needs_only_the_name_of_its_agent(place: dict[str, str]) -> None:
    made = run_here(place, "token", "create", "--agent", "ada", "--json").document
    assert made["org"] == "local"
    assert made["scopes"] == ["knowledge:read", "knowledge:write"]


def test_the_life_of_a_token(place: dict[str, str]) -> None:
    options = ("knowledge:read,audit:read", "--expires", "90d", "--name", "Laptop", "--json")
    made = run_here(place, *MAKE, *options).document
    assert well_formed(made["token"])
    assert (made["org"], made["agent"], made["name"]) == ("acme", "ada", "Laptop")
    assert made["scopes"] == ["audit:read", "knowledge:read"]
    assert made["created_at"] < made["expires_at"]
    (listed,) = run_here(place, "token", "list", "--json").document["tokens"]
    assert listed == {name: value for name, value in made.items() if name != "token"}
    assert run_here(place, "token", "list", "--org", "zoo", "--json").document == {"tokens": []}
    replaced = run_here(place, "token", "replace", made["id"][:10], "--json").document
    assert well_formed(replaced["token"])
    same = ("org", "agent", "name", "scopes")
    assert [replaced[name] for name in same] == [made[name] for name in same]
    lasting = [
        datetime.fromisoformat(one["expires_at"]) - datetime.fromisoformat(one["created_at"])
        for one in (made, replaced)
    ]
    assert lasting[0] == lasting[1]
    again = run_here(place, "token", "replace", made["id"], "--json")
    assert code_of(again) == "validation.invalid_argument"
    made = replaced
    revoked = run_here(place, "token", "revoke", made["id"][:10], "--json").document
    assert revoked["revoked_at"]
    assert run_here(place, "token", "revoke", made["id"], "--json").document == revoked
    assert code_of(run_here(place, "token", "revoke", "tok_none", "--json")) == (
        "knowledge.not_found"
    )


def test_tokens_for_people(place: dict[str, str]) -> None:
    assert "There are no tokens" in run_here(place, "token", "list").stdout
    made = run_here(place, *MAKE, "admin").stdout.splitlines()
    assert well_formed(made[0])
    assert "cannot be shown again" in made[-1]
    listed = run_here(place, "token", "list").stdout
    assert "acme/ada  ada  admin  does not expire, never used" in listed
    assert made[0] not in listed
    id = listed.split()[0]
    assert "revoked" in run_here(place, "token", "revoke", id).stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--org", "system", "--agent", "a", "--scopes", "admin"), "org"),
        (("--org", "acme", "--agent", " ", "--scopes", "admin"), "agent"),
        (("--org", "acme", "--agent", "a", "--scopes", "everything"), "knowledge:read"),
        (("--org", "acme", "--agent", "a", "--scopes", ","), "scope"),
        (("--org", "acme", "--agent", "a", "--scopes", "admin", "--expires", "soon"), "90d"),
        (("--org", "acme", "--agent", "a", "--scopes", "admin", "--expires", "30m"), "30min"),
    ],
)
def test_what_makes_no_token(place: dict[str, str], arguments: tuple[str, ...], told: str) -> None:
    outcome = run_here(place, "token", "create", *arguments, "--json")
    assert code_of(outcome) == "validation.invalid_argument"
    assert told in outcome.document["error"]["message"]
    assert run_here(place, "token", "list", "--json").document == {"tokens": []}


def test_plans_and_exceptions(place: dict[str, str]) -> None:
    run_here(place, "org", "create", "acme")

    def shown() -> tuple[object, ...]:
        document = run_here(place, "quota", "show", "--org", "acme", "--json").document
        quota, others = document["quotas"]
        assert (others["metric"], others["source"]) == ("bytes_stored", "default")
        return document["plan"], quota["monthly"], quota["source"], quota["used"]

    assert shown() == (None, None, "default", 0)
    assert code_of(run_here(place, "plan", "assign", "acme", "free", "--json")) == (
        "knowledge.not_found"
    )
    run_here(place, "plan", "set", "free", "10")
    assert run_here(place, "plan", "assign", "acme", "free").stdout == "acme: free\n"
    assert shown() == ("free", 10, "plan", 0)
    run_here(place, "quota", "set", "unlimited", "--org", "acme")
    assert shown() == ("free", None, "override", 0)
    listed = run_here(place, "plan", "list", "--json").document
    assert listed == {"plans": {"free": {"knowledge_stored": 10}}}
    assert code_of(run_here(place, "plan", "drop", "free", "--json")) == (
        "validation.invalid_argument"
    )
    run_here(place, "quota", "clear", "--org", "acme")
    assert "0 of 10 (plan)" in run_here(place, "quota", "show", "--org", "acme").stdout
    run_here(place, "plan", "assign", "acme")
    assert run_here(place, "plan", "drop", "free", "--json").document == {"plan": "free"}
    assert "No plan" in run_here(place, "plan", "list").stdout
    bytes_stored = ("--metric", "bytes_stored", "--org", "acme")
    told = run_here(place, "quota", "set", "5000", *bytes_stored).stdout
    assert told == "acme: bytes_stored 5000 a month\n"
    shown_now = run_here(place, "quota", "show", "--org", "acme").stdout
    assert "bytes_stored  0 of 5000 (override)" in shown_now
    run_here(place, "quota", "clear", *bytes_stored)


@pytest.mark.parametrize(
    "arguments",
    [
        ("quota", "set", "-1"),
        ("quota", "set", "many"),
        ("quota", "set", "5", "--org", "system"),
        ("plan", "set", " ", "5"),
        ("plan", "set", "free", "1.5"),
    ],
)
def test_what_is_no_quota(place: dict[str, str], arguments: tuple[str, ...]) -> None:
    options = ("--json",) if "-1" not in arguments else ()
    outcome = run_here(place, *arguments, *options)
    assert outcome.code != 0
    assert "Traceback" not in outcome.stderr


def test_the_system_is_nobodys_org(place: dict[str, str]) -> None:
    for org in ("system", "System", " system "):
        outcome = run_here(place | {"COMMONPLACE_ORG": org}, "status", "--json")
        assert code_of(outcome) == "settings.invalid"
        assert "COMMONPLACE_ORG" in outcome.document["error"]["message"]
