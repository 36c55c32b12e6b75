"""Generates the command-line page: every command with its arguments and options."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click

from commonplace.cli.main import main
from tools.docs.markdown import code, document, table

INTRODUCTION = """\
Commands print text for people, and JSON for programs with `--json`. `--help` on any command prints
the same as this page."""


def page() -> str:
    blocks = [section(path, command) for path, command in commands("commonplace", main)]
    return document("Commands", INTRODUCTION, *blocks)


def commands(path: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """The command and its subcommands, each with its full name."""
    yield path, command
    for name, child in children(command):
        if not child.hidden:
            yield from commands(f"{path} {name}", child)


def children(command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """The subcommands of a group, looked up as click does, so that lazy groups work."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield name, child


def section(path: str, command: click.Command) -> str:
    # A command keeps the first help option that it gets, so this context needs the real names.
    context = click.Context(command, **main.context_settings)
    usage = f"```text\n{path} {' '.join(command.collect_usage_pieces(context))}\n```"
    blocks = [f"## `{path}`", _help(path, command), usage]
    rows = [_row(parameter) for parameter in command.params if not _is_hidden(parameter)]
    if rows:
        blocks.append(table(("argument or option", "default", "meaning"), rows))
    return "\n\n".join(blocks)


def _help(path: str, command: click.Command) -> str:
    if not command.help:
        raise ValueError(f"`{path}` does not say what it does")
    return cleandoc(command.help).replace("\b\n", "").split("\f")[0].strip()


def _row(parameter: click.Parameter) -> tuple[str, str, str]:
    if isinstance(parameter, click.Option):
        names = ", ".join(code(name) for name in (*parameter.opts, *parameter.secondary_opts))
        return f"{names} {_value(parameter)}".strip(), _default(parameter), parameter.help or ""
    return code(parameter.human_readable_name), "required" if parameter.required else "", ""


def _value(option: click.Option) -> str:
    if option.is_flag or option.count:
        return ""
    return option.make_metavar(click.Context(click.Command("")))


def _default(option: click.Option) -> str:
    if option.required:
        return "required"
    default = option.to_info_dict().get("default")
    if option.is_flag or default is None or callable(default) or default in ((), ""):
        return ""
    return code(str(default))


def _is_hidden(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and parameter.hidden
