"""`commonplace capture`: transcripts and history are looked through once, and only what is new."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import run_here
from tests.cli.test_hooks import waiting

KAFKA = "We decided to use Kafka instead of RabbitMQ for the bus because we need replay."
RULE = "From now on we always run migrations in a job of their own, never at application start."
POOL = (
    "Close idle connections in the pool\n\nThe balancer drops them after 60 s without a word, so "
    "the first query after lunch failed with a broken pipe. They are now closed after 50 s."
)
LONG_MESSAGE = (
    "Close idle connections in the pool\n\n"
    "Part two of four. See the ticket for the plan. Renames the module, adds types to its methods, "
    "adds the settings to the reference, updates the lock file, updates the list of owners, adds "
    "an example to the guide, and adds a test for each of the new methods and for each of the new "
    "settings. Reviewed by Ana, Ben and Kim; Ben would like to see the other parts soon.\n\n"
    "The balancer drops idle connections after 60 s without a word, so the first query after lunch "
    "failed with a broken pipe. They are now closed after 50 s."
)
KEY = "sk-live-a8Fj3kLq9ZxW2mNb7VcT5yRu1PoEiH6sDgKwQe4z"


def line(role: str, text: str) -> str:
    content = [{"type": "text", "text": text}]
    return json.dumps({"type": role, "message": {"role": role, "content": content}})


def capture(home: dict[str, str], *words: str) -> list[dict[str, Any]]:
    done = run_here(home, "capture", *words, "--json")
    assert done.code == 0, done.stdout + done.stderr
    taken: list[dict[str, Any]] = done.document["taken"]
    return taken


def kept(home: dict[str, str]) -> list[str]:
    return [review["moment"]["content"] for review in waiting(home)]


def test_a_device_that_never_ends_is_not_read_to_its_end(home: dict[str, str]) -> None:
    done = run_here(home, "capture", "/dev/zero")
    assert done.code == 1
    assert "zero is larger than 64 MB" in done.stderr


def test_a_transcript_is_taken_once_and_its_growth_too(
    home: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    turns = [line("user", "which bus?"), line("assistant", f"Let me think. {KAFKA}")]
    path.write_text("\n".join(turns) + "\n")
    (first,) = capture(home, str(path))
    assert (first["turns"], len(first["flagged"])) == (2, 1)
    assert kept(home) == [KAFKA]
    (again,) = capture(home, str(path))
    assert (again["turns"], again["flagged"]) == (0, [])
    path.write_text("\n".join([*turns, line("user", RULE)]) + "\n")
    grown = run_here(home, "capture", str(path)).stdout
    assert "1 new turn, 1 moment waits for review, 0 known" in grown
    assert sorted(kept(home)) == sorted([KAFKA, RULE])
    (whole,) = capture(home, str(path), "--again")
    assert whole["turns"] == 3
    assert len(kept(home)) == 2, "what waits already waits once"


def test_a_file_without_turns_is_not_called_read_before(
    home: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "session.json"
    path.write_text('{"version": 3, "cells": [{"source": "We use Kafka."}]}')
    for _ in range(2):
        done = run_here(home, "capture", str(path))
        assert (done.code, done.stdout) == (0, f"{path}: no conversation was found in it\n")


def test_a_character_that_a_client_cut_in_two_loses_nothing_else(
    home: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join([line("user", "Well \ud83d \0"), line("user", KAFKA)]))
    capture(home, str(path))
    assert kept(home) == [KAFKA]


def test_secrets_are_masked_before_anything_waits(home: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(f"{KAFKA} The api key we use for it is {KEY}.")
    (taken,) = capture(home, str(path))
    assert taken["secrets"] == 1
    assert KEY not in json.dumps(waiting(home))
    assert KAFKA in kept(home)[0]


def test_history_is_taken_from_where_it_ended(home: dict[str, str], tmp_path: Path) -> None:
    repository = tmp_path / "atlas"
    repository.mkdir()

    def commit(message: str) -> None:
        named = ["-c", "user.name=Kim", "-c", "user.email=kim@example.com"]
        words = [*named, "commit", "-q", "--allow-empty", "-m", message]
        subprocess.run(["git", "-C", str(repository), *words], check=True)

    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    commit("Bump version to 2.4.0 and update the lock file of all packages")
    commit(POOL)
    (first,) = capture(home, "--git", str(repository))
    assert (first["turns"], len(first["flagged"])) == (2, 1)
    assert [review["moment"]["project"] for review in waiting(home)] == ["atlas"]
    commit(RULE)
    (second,) = capture(home, "--git", str(repository))
    assert (second["turns"], len(second["flagged"])) == (1, 1)
    commit("Bump version to 2.5.0 and update the lock file of all packages")
    shown = run_here(home, "capture", "--git", str(repository)).stdout
    assert "1 new commit, 0 moments wait for review, 0 known" in shown


def test_a_moment_from_the_end_of_a_long_commit_message_has_its_subject(
    home: dict[str, str], tmp_path: Path
) -> None:
    repository = tmp_path / "atlas"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    named = ["-c", "user.name=Kim", "-c", "user.email=kim@example.com"]
    words = [*named, "commit", "-q", "--allow-empty", "-m", LONG_MESSAGE]
    subprocess.run(["git", "-C", str(repository), *words], check=True)
    capture(home, "--git", str(repository))
    (review,) = waiting(home)
    assert "broken pipe" in review["moment"]["content"]
    assert "Close idle" not in review["moment"]["content"]
    assert review["moment"]["summary"] == "Close idle connections in the pool"


def test_nothing_that_a_repository_configures_is_run(home: dict[str, str], tmp_path: Path) -> None:
    repository, ran, script = tmp_path / "atlas", tmp_path / "ran", tmp_path / "script.sh"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    script.chmod(0o755)
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    named = ["-c", "user.name=Kim", "-c", "user.email=kim@example.com"]
    words = [*named, "commit", "-q", "--allow-empty", "-m", POOL]
    subprocess.run(["git", "-C", str(repository), *words], check=True)
    sign_head(repository)
    for setting, value in (("log.showSignature", "true"), ("gpg.program", str(script))):
        subprocess.run(["git", "-C", str(repository), "config", setting, value], check=True)
    (taken,) = capture(home, "--git", str(repository))
    assert taken["turns"] == 1
    assert not ran.exists()


def sign_head(repository: Path) -> None:
    """The last commit with a signature that git would have a program look at."""
    git = ["git", "-C", str(repository)]
    raw = subprocess.run([*git, "cat-file", "commit", "HEAD"], check=True, capture_output=True)
    head, _, message = raw.stdout.partition(b"\n\n")
    signature = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    given = b"\n".join((head, signature)) + b"\n\n" + message
    words = [*git, "hash-object", "-t", "commit", "-w", "--stdin"]
    made = subprocess.run(words, input=given, check=True, capture_output=True).stdout.decode()
    subprocess.run([*git, "update-ref", "HEAD", made.strip()], check=True)


@pytest.mark.parametrize("words", [(), ("nowhere.jsonl",), ("--git", ".")])
def test_what_cannot_be_read_is_said(
    home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_here(home, "capture", *words, "--json")
    assert done.code == 1
    assert done.document["error"]["code"] == "validation.invalid_argument"
    assert waiting(home) == []
