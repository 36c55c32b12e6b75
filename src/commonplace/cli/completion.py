"""`commonplace completion`: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from commonplace.cli.output import Command, emit, json_option

_SHELLS = ("bash", "zsh", "fish")
# Where click's script looks up completions; named after the program.
_VARIABLE = "_COMMONPLACE_COMPLETE"


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(_SHELLS))
@json_option
def completion_command(shell: str, as_json: bool) -> None:
    """Print a script with which a shell completes commands and options.

    For bash and zsh, add `eval "$(commonplace completion bash)"` (or zsh) to the shell's start-up
    file; for fish, write the output to ~/.config/fish/completions/commonplace.fish.
    """
    found = get_completion_class(shell)
    assert found is not None, "click knows these shells"
    program = click.get_current_context().find_root()
    script = found(program.command, {}, "commonplace", _VARIABLE).source()
    emit({"shell": shell, "script": script}, script, as_json=as_json)
