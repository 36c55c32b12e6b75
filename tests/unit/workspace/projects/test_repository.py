"""The identity of a repository: the same from every clone and worktree of it."""

from __future__ import annotations

import pytest

from commonplace.workspace.projects.repository import identity_of

HERE = "/srv/gson/.git"


def config(url: str, name: str = "origin") -> str:
    return f'[core]\n\tbare = false\n[remote "{name}"]\n\turl = {url}\n\tfetch = +refs/heads/*\n'


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/google/gson.git",
        "https://github.com/google/gson",
        "https://someone:token@github.com/google/gson.git",
        "git@github.com:google/gson.git",
        "GitHub.com:google/gson.git",
        "ssh://git@github.com:22/google/gson.git/",
        '"https://github.com/google/gson.git"',
    ],
)
def test_every_way_to_write_a_remote_is_one_repository(url: str) -> None:
    assert identity_of(config(url), HERE) == "github.com/google/gson"


def test_origin_goes_before_other_remotes() -> None:
    both = config("https://a.example/fork", "fork") + config("https://a.example/main")
    assert identity_of(both, HERE) == "a.example/main"
    assert identity_of(config("https://a.example/fork", "fork"), HERE) == "a.example/fork"


def test_without_a_remote_it_is_the_common_folder() -> None:
    assert identity_of("[core]\n\turl = not-a-remote\n", HERE) == f"file://{HERE}"


@pytest.mark.parametrize("url", ["/srv/gson", "/srv/gson/.git", "file:///srv/gson/"])
def test_a_clone_of_a_folder_is_the_repository_in_it(url: str) -> None:
    assert identity_of(config(url), "/elsewhere/.git") == f"file://{HERE}"


def test_a_section_ends_where_the_next_begins() -> None:
    text = '[remote "origin"]\n[branch "main"]\n\turl = https://a.example/wrong\n'
    assert identity_of(text, HERE) == f"file://{HERE}"
