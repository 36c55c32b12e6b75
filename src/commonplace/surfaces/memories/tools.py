"""The only tool of the `memories` dialect, with the commands that models are trained on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from commonplace.application import Application
from commonplace.errors import CommonplaceError, InvalidArgument, retry_seconds
from commonplace.memory.service.filing import FileService
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.arguments import OWN_LIMIT, WHOLE, Arguments
from commonplace.surfaces.call import require
from commonplace.surfaces.tool import Markdown, Surface, Tool

Path = Annotated[str, Field(max_length=2_000), OWN_LIMIT]
Text = Annotated[str, Field(max_length=1_000_000), OWN_LIMIT]
Line = Annotated[int, WHOLE]


def _two(given: list[int]) -> list[int]:
    if len(given) != 2:
        raise ValueError("must be two numbers, the first and the last line")
    return given


class MemoryArguments(Arguments):
    command: Literal["view", "create", "str_replace", "insert", "delete", "rename"]
    path: Path | None = None
    view_range: Annotated[list[Line], AfterValidator(_two)] | None = Field(
        None, description="first and last line; -1: to the end"
    )
    file_text: Text | None = None
    old_str: Text | None = None
    new_str: Text | None = None
    insert_line: Line | None = Field(None, description="after this line; 0: at the beginning")
    insert_text: Text | None = None
    old_path: Path | None = None
    new_path: Path | None = None


Do = Callable[[FileService, Actor, MemoryArguments, Call], str]


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the function that does it, its required and its optional arguments."""

    do: Do
    needs: tuple[str, ...]
    takes: tuple[str, ...] = ()
    scope: Scope = Scope.WRITE


def _present(value: Any) -> Any:
    assert value is not None, "the command was checked"
    return value


_COMMANDS = {
    "view": Command(
        lambda files, actor, given, _: files.view(actor, _present(given.path), given.view_range),
        ("path",),
        ("view_range",),
        Scope.READ,
    ),
    "create": Command(
        lambda files, actor, given, call: files.create(
            actor, _present(given.path), _present(given.file_text), call
        ),
        ("path", "file_text"),
    ),
    "str_replace": Command(
        lambda files, actor, given, call: files.str_replace(
            actor, _present(given.path), _present(given.old_str), given.new_str or "", call
        ),
        ("path", "old_str"),
        ("new_str",),
    ),
    "insert": Command(
        lambda files, actor, given, call: files.insert(
            actor,
            _present(given.path),
            _present(given.insert_line),
            _present(given.insert_text),
            call,
        ),
        ("path", "insert_line", "insert_text"),
    ),
    "delete": Command(
        lambda files, actor, given, call: files.delete(actor, _present(given.path), call), ("path",)
    ),
    "rename": Command(
        lambda files, actor, given, call: files.rename(
            actor, _present(given.old_path), _present(given.new_path), call
        ),
        ("old_path", "new_path"),
    ),
}


def memory(application: Application, actor: Actor, given: MemoryArguments, call: Call) -> Markdown:
    command = _COMMANDS[given.command]
    require(actor, command.scope)
    named = given.model_dump(exclude_none=True, exclude={"command"}).keys()
    if lacking := [name for name in command.needs if name not in named]:
        raise InvalidArgument(
            f"Error: {given.command} needs {', '.join(lacking)}.", field=lacking[0]
        )
    if foreign := [name for name in named if name not in command.needs + command.takes]:
        raise InvalidArgument(
            f"Error: {given.command} does not take {', '.join(foreign)}.", field=foreign[0]
        )
    return Markdown(command.do(application.memory.filing, actor, given, call))


def fault(error: CommonplaceError) -> str:
    """A sentence for the model, as the documentation has it; no envelope."""
    wait = retry_seconds(error)
    again = f" Try again in {wait} seconds." if wait else ""
    return f"{error.message}{again}"


TOOLS = (
    Tool(
        name="memory",
        title="Memory files",
        description="Files under /memories that last beyond this conversation: view a directory "
        "or file first, then create, str_replace, insert, delete or rename. Nothing is lost: each "
        "change can be undone.",
        scope=Scope.READ,
        arguments=MemoryArguments,
        answer=None,
        run=memory,
        read_only=False,
        destructive=True,
        returns_knowledge=True,
    ),
)

MEMORIES = Surface(name="memories", tools=TOOLS, resources=(), fault=fault)
