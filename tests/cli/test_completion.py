"""The scripts with which shells complete commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import run_here

_TYPED = """
eval "$(commonplace completion bash)"
COMP_WORDS=({words}); COMP_CWORD={last}
_commonplace_completion commonplace
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("commonplace", "com"), ["completion"]),
        (("commonplace", "recall", "--pro"), ["--project"]),
        (("commonplace", "token", "rev"), ["revoke"]),
    ],
)
def test_bash_completes_commands_and_options(
    home: dict[str, str], words: tuple[str, ...], found: list[str]
) -> None:
    program = Path(sys.executable).parent
    script = _TYPED.format(words=" ".join(words), last=len(words) - 1)
    path = f"{program}{os.pathsep}{os.environ['PATH']}"
    told = subprocess.run(
        ["bash", "-c", script],
        env={**home, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == found
    assert not Path(home["COMMONPLACE_HOME"]).exists(), "nothing is made"


def test_every_shell_has_a_script_and_others_are_refused(home: dict[str, str]) -> None:
    for shell in ("zsh", "fish"):
        shown = run_here(home, "completion", shell)
        assert "_COMMONPLACE_COMPLETE" in shown.stdout
        document = run_here(home, "completion", shell, "--json").document
        assert document == {"shell": shell, "script": shown.stdout.removesuffix("\n")}
    refused = run_here(home, "completion", "tcsh")
    assert refused.code == 2
    assert "'bash', 'zsh', 'fish'" in refused.stderr
