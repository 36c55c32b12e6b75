"""Standard streams and the current folder when they cannot be used: one line, no stack trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import environment


def run_in_shell(settings: dict[str, str], script: str, folder: Path) -> tuple[int, str]:
    """The exit status and standard error of a shell script; `$0 -m commonplace` is the command."""
    done = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable],
        env=environment(settings),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", ["list", "status --json", "--help", "list --help"])
def test_output_that_cannot_be_written_is_one_error(
    home: dict[str, str], tmp_path: Path, words: str
) -> None:
    code, said = run_in_shell(home, f'"$0" -m commonplace {words} > /dev/full', tmp_path)
    assert (code, said) == (1, "Error: The output cannot be written: no space left on device.\n")


def test_a_reader_that_leaves_is_no_error(home: dict[str, str], tmp_path: Path) -> None:
    code, said = run_in_shell(home, '"$0" -m commonplace --help | true', tmp_path)
    assert (code, said) == (0, "")


def test_a_closed_standard_input_is_an_empty_text(home: dict[str, str], tmp_path: Path) -> None:
    code, said = run_in_shell(home, '"$0" -m commonplace add Title - <&-', tmp_path)
    assert (code, said) == (1, "Error: body must not be empty. [validation.invalid_argument]\n")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("brief", "Nothing is known yet: `commonplace add` keeps a note."),
        ("init", "Error: The path cannot be used: no such file or directory."),
        ("project show", "Error: The path cannot be used: no such file or directory."),
        ("project add shop --root .", "Error: The path cannot be used: no such file or directory."),
    ],
)
def test_a_folder_that_was_deleted_is_no_internal_error(
    home: dict[str, str], tmp_path: Path, words: str, problem: str
) -> None:
    script = f'mkdir gone; cd gone; rmdir ../gone; "$0" -m commonplace {words}'
    _code, said = run_in_shell(home, script, tmp_path)
    assert said.startswith(problem), said
