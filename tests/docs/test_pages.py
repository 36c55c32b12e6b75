"""Every link in the documentation leads somewhere, and every command that it shows exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commonplace.cli.main import main
from tests.docs.pages import REPOSITORY, broken_links, console_lines, pages
from tools.docs.commands import children


def make_targets() -> set[str]:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


def typed_commands(line: str) -> Iterator[list[str]]:
    """The commands of one shell line, without variables set before them."""
    for part in re.split(r"\s*(?:&&|\|\||[|;])\s*", line):
        words = shlex.split(part, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            words = words[1:]
        if words:
            yield words


def unknown(words: list[str]) -> str:
    """What is not real about a typed command; empty when all is well."""
    program, *arguments = words
    if program.endswith("make"):
        targets = [word for word in arguments if "=" not in word and not word.startswith("-")]
        return next((f"make {t}" for t in targets if t not in make_targets()), "")
    return unknown_command(main, arguments) if Path(program).name == "commonplace" else ""


def unknown_command(command: click.Command, arguments: list[str]) -> str:
    """Walk the command tree as far as the words name sub-commands, then look at the options."""
    rest = list(arguments)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        name, known = rest.pop(0), dict(children(command))
        if name not in known:
            return f"command {name}"
        command = known[name]
    spelled = {option for parameter in command.params for option in _spellings(parameter)}
    used = (word.split("=", 1)[0] for word in rest if word.startswith("--"))
    return next((f"option {o}" for o in used if o not in spelled | {"--help", "--"}), "")


def _spellings(parameter: click.Parameter) -> list[str]:
    return [*parameter.opts, *parameter.secondary_opts]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    problems = broken_links(page, text)
    for line in console_lines(text):
        problems += [f"{line}: no {u}" for w in typed_commands(line) if (u := unknown(w))]
    assert not problems, "\n".join(problems)


def test_a_broken_link_a_missing_heading_and_a_wrong_command_are_found() -> None:
    page = REPOSITORY / "CONTRIBUTING.md"
    assert broken_links(page, "[a](nowhere.md) `[b](c.md)`") == [
        "CONTRIBUTING.md: nowhere.md leads nowhere"
    ]
    assert broken_links(page, "# Here we are\n[a](CONTRIBUTING.md#not-there)")
    assert not broken_links(page, "[a](CONTRIBUTING.md) [b](https://example.org)")
    typed = list(
        console_lines("```console\n$ X=1 commonplace nonsense \\\n    --x && make test\nout\n```\n")
    )
    assert typed == ["X=1 commonplace nonsense --x && make test"]
    assert [unknown(words) for words in typed_commands(typed[0])] == ["command nonsense", ""]
    assert unknown(["make", "nonsense"]) == "make nonsense"
    assert unknown(["commonplace", "--nonsense"]) == "option --nonsense"
