"""Ignore patterns mean what git means by them, and none of them is dear to compare."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from commonplace.reading.folders import DiskFolders, FolderLimits
from commonplace.reading.globs import Globs, rules_of

SIGNS = [
    "a", "b", "ab", "*", "**", "***", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]",
    "[-a]", "[[:alpha:]]", "[[:foo:]]", "[[:x]", "[[.a]", "[a-", "[b-a]", "[a/]", "[a\\]]",
    "[\\]a-c]", "\\a", "\\*", "\\", "\\/", "\\ ", "!", " ", "#", ".", "é", "-", "\r",
]  # fmt: skip
NAMES = [
    "a", "b", "ab", "aab", "abc", "a*", "[a", "a ", "é", "#a", "!a", "a.b", "-", "ba", "]", "c",
    "\\a",
]  # fmt: skip


def git_ignores(repository: Path, paths: Sequence[str]) -> list[bool]:
    command = ["git", "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index"]
    answer = subprocess.run(
        [*command, "--verbose", "--non-matching", "-z", "--stdin"],
        check=False,
        cwd=repository,
        input="\0".join(paths).encode(),
        capture_output=True,
    ).stdout.split(b"\0")
    # Of each path: the file, the line, the pattern, and the path.
    return [bool(pattern) and not pattern.startswith(b"!") for pattern in answer[2::4]]


def ignored(globs: Globs, path: str) -> bool:
    """As a walk would have it: what an ignored folder holds is never asked for."""
    parts = path.encode().split(b"/")
    for depth in range(1, len(parts) + 1):
        inner = b"/".join(parts[:depth])
        if globs.verdict(inner, folder=depth < len(parts)):
            return True
    return False


def agree(repository: Path, seed: int, rounds: int) -> None:
    chance = random.Random(seed)
    subprocess.run(["git", "init", "--quiet"], cwd=repository, check=True)
    file = repository / ".gitignore"
    for _ in range(rounds):
        lines = ["".join(chance.choices(SIGNS, k=chance.randint(1, 6))) for _ in range(3)]
        file.write_bytes("\n".join(lines[: chance.choice((1, 1, 3))]).encode())
        globs = rules_of(file.read_bytes())
        paths = ["/".join(chance.choices(NAMES, k=chance.randint(1, 4))) for _ in range(60)]
        ours = [ignored(globs, path) for path in paths]
        assert list(zip(paths, ours, strict=True)) == list(
            zip(paths, git_ignores(repository, paths), strict=True)
        ), lines


@pytest.mark.parametrize("seed", range(4))
def test_patterns_agree_with_git(tmp_path: Path, seed: int) -> None:
    agree(tmp_path, seed, rounds=60)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_patterns_agree_with_git(tmp_path: Path, seed: int) -> None:
    agree(tmp_path, seed, rounds=1_000)


HOSTILE = [
    "*a" * 100 + "*b",
    "*a*a*a*a*a*a*a*a*b",
    "*?" * 60 + "b",
    "*[a-z]" * 60 + "b",
    "*" + "a" * 120 + "b",
    "*" + "?" * 120 + "b",
    "**/a" * 100 + "/b",
    "/**/*a" * 60 + "*b",
    "*/" * 60 + "b",
    "[" * 250,
    "[a-" * 80,
    "a" * 250_000,
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_no_name_is_dear_to_compare(pattern: str) -> None:
    """With the regular expressions of before, one comparison took longer than anybody waits."""
    globs = rules_of(pattern.encode())
    names = [b"a" * 255, b"/".join([b"a"] * 2_000), b"/".join([b"a" * 255] * 16)]
    for _ in range(50):
        assert not any(globs.verdict(name, folder=False) for name in names)


def test_a_folder_with_hostile_ignore_files_is_listed(tmp_path: Path) -> None:
    (tmp_path / ("a" * 200)).write_text("long")
    (tmp_path / "b.md").write_text("text")
    (tmp_path / ".gitignore").write_text("\n".join([*HOSTILE, "*.tmp"]))
    (tmp_path / "c.tmp").write_text("made")
    git = tmp_path / ".git"
    git.mkdir()
    blanks = " " * 20_000
    (git / "config").write_text(
        f'[core{blanks}x\n[core]\nexcludesFile={blanks}"a"b\npath={blanks}"a"b{blanks}\n'
    )

    listed = [found.path for found in DiskFolders(FolderLimits()).list(str(tmp_path)).files]

    assert listed == [".gitignore", "a" * 200, "b.md"]


@pytest.mark.parametrize("folder", ["made", "made/deep"])
def test_a_folder_that_is_ignored_itself_has_nothing_to_read(tmp_path: Path, folder: str) -> None:
    """Git does not look into it, so nothing in it can be taken back."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("made/\n!made/kept.md\n")
    inner = tmp_path / "made" / "deep"
    inner.mkdir(parents=True)
    (inner.parent / "kept.md").write_text("text")
    (inner / "a.md").write_text("text")

    assert DiskFolders(FolderLimits()).list(str(tmp_path / folder)).files == ()
