"""The `recent` tool: what is new, what waits for review, what fails, and what is untidy."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.memory.news import News, NewsLine, Suggestion, Untidy
from commonplace.memory.opened import reference_of
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.arguments import WHOLE
from commonplace.surfaces.memory.arguments import MemoryArguments
from commonplace.surfaces.memory.formatting import age, joined, warned
from commonplace.surfaces.tool import Markdown, Tool


class RecentArguments(MemoryArguments):
    since: Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="time, 7d or reference; default your last write"
    )
    project: Annotated[str, Field(max_length=200)] | None = None
    by: Annotated[str, Field(max_length=200)] | None = Field(None, description="agent")
    limit: Annotated[int, Field(ge=1, le=200), WHOLE] = 20


def recent(application: Application, actor: Actor, given: RecentArguments, _call: Call) -> Markdown:
    news = application.memory.recent.recent(
        actor, given.since or "", given.project or "", given.by or "", given.limit
    )
    return Markdown("\n".join(_lines_of(news, actor.org)))


def _lines_of(news: News, org: str) -> list[str]:
    lines = [f"since {news.since:%Y-%m-%d %H:%M}Z: {len(news.lines) + news.more or 'nothing new'}"]
    lines += [each for line in news.lines for each in warned(_line(line, news), line.title)]
    if news.notice:
        lines.append(f"({news.notice})")
    if news.more:
        lines.append(f"… {news.more} more; raise limit")
    if news.waiting:
        lines.append(f"waits for review: {news.waiting_count} (revise helped or misled decides)")
        for line in news.waiting:
            lines += warned(f"- {line.reference} {line.title}, by {line.by}", line.title)
    if news.failing:
        lines += ["fails:", *(each for reason in news.failing for each in _failing(reason))]
    if news.untidy:
        lines += ["looks untidy:", *(each for one in news.untidy for each in _untidy(one, org))]
    return lines


def _line(line: NewsLine, news: News) -> str:
    title = " ".join(line.title.split())
    change = joined([f"{line.reference} {line.what}", title, line.project])
    return f"- {change}, by {line.by} {age(line.at, news.read_at)}"


def _failing(reason: str) -> list[str]:
    return warned(f"- {reason}", reason)


def _untidy(one: Suggestion, org: str) -> list[str]:
    titles = (entry.content.title for entry in one.entries)
    return warned(suggestion_line(one, org), *titles, one.reason)


def suggestion_line(one: Suggestion, org: str) -> str:
    """A suggestion with the commands that would settle it."""
    what = suggested(one)
    names = [str(reference_of(entry, org)) for entry in one.entries]
    if one.why is Untidy.UNUSED:
        return f"{what}: revise {names[0]} helped, expire or forget"
    word = "merge" if one.why is Untidy.DOUBLED else "supersede"
    return f"{what}: revise {names[0]} {word} by={names[1]}, or keep by={names[1]}"


def suggested(one: Suggestion) -> str:
    """The entries that look untidy, and the reason."""
    titles = " / ".join(dict.fromkeys(entry.content.title for entry in one.entries))
    return f"- {one.why.value}: {titles} ({one.reason})"


RECENT = Tool(
    name="recent",
    title="What is new",
    description="What is new or changed since a time, a reference or your last write: by whom, in "
    "which project; what waits for review, fails, or looks doubled, contradicting or unused.",
    scope=Scope.READ,
    arguments=RecentArguments,
    answer=None,
    run=recent,
    read_only=True,
    returns_knowledge=True,
)
