"""Implements Anthropic's memory tool for the `anthropic` package; its files are stored as entries.

Needs the extra `anthropic`. Store and agent come from the settings, as for any command.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)
from anyio import to_thread
from typing_extensions import override

from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.errors import CommonplaceError
from commonplace.memory.service.filing import FileService
from commonplace.model.actor import Actor
from commonplace.settings import load_settings
from commonplace.surfaces.memories.tools import fault

_CLIENT = "anthropic"
Work = Callable[[FileService, Actor], str]


class _Files:
    """The files of one agent; the application starts on first use."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._application = LazyApplication(lambda: build(load_settings(**settings)))

    def do(self, work: Work) -> str:
        """Run a command and return the text for the model; an error becomes a ToolError."""
        try:
            application = self._application.get()
            return work(application.memory.filing, application.local_actor(_CLIENT))
        except CommonplaceError as error:
            raise ToolError(fault(error)) from None

    def close(self) -> None:
        self._application.close()


def _view(command: BetaMemoryTool20250818ViewCommand) -> Work:
    return lambda files, actor: files.view(actor, command.path, command.view_range or None)


def _create(command: BetaMemoryTool20250818CreateCommand) -> Work:
    return lambda files, actor: files.create(actor, command.path, command.file_text)


def _str_replace(command: BetaMemoryTool20250818StrReplaceCommand) -> Work:
    # A model that only deletes text may omit the replacement.
    new = getattr(command, "new_str", None) or ""
    return lambda files, actor: files.str_replace(actor, command.path, command.old_str, new)


def _insert(command: BetaMemoryTool20250818InsertCommand) -> Work:
    line, text = command.insert_line, command.insert_text
    return lambda files, actor: files.insert(actor, command.path, line, text)


def _delete(command: BetaMemoryTool20250818DeleteCommand) -> Work:
    return lambda files, actor: files.delete(actor, command.path)


def _rename(command: BetaMemoryTool20250818RenameCommand) -> Work:
    return lambda files, actor: files.rename(actor, command.old_path, command.new_path)


class CommonplaceMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `client.beta.messages.tool_runner(tools=[tool], ...)`.

    Keyword arguments override settings: `CommonplaceMemoryTool(agent="support", org="acme")`.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._files = _Files(settings)

    @override
    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return self._files.do(_view(command))

    @override
    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return self._files.do(_create(command))

    @override
    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._files.do(_str_replace(command))

    @override
    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return self._files.do(_insert(command))

    @override
    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return self._files.do(_delete(command))

    @override
    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return self._files.do(_rename(command))

    def close(self) -> None:
        self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncCommonplaceMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for `AsyncAnthropic`; commands run in a thread."""

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._files = _Files(settings)

    async def _do(self, work: Work) -> str:
        return await to_thread.run_sync(self._files.do, work)

    @override
    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await self._do(_view(command))

    @override
    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await self._do(_create(command))

    @override
    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await self._do(_str_replace(command))

    @override
    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await self._do(_insert(command))

    @override
    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await self._do(_delete(command))

    @override
    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await self._do(_rename(command))

    def close(self) -> None:
        self._files.close()
