"""Tasks of an agent, and how one that reads what it is told goes about each.

An agent of the five dialects does not know who stored what: it asks the searches in the order in
which the server's instructions name them, until one answers. Words show that a task is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.tasks.home import OWN, WORKSPACE

Ask = Callable[..., str]
MEMORY, DIALECTS = "memory", "notes,institutional,documents,registry,workspace"


class Undone(Exception):
    """What was asked for did not come."""


@dataclass(frozen=True, slots=True)
class Task:
    """`memory` and `dialects` do it with one set of tools each."""

    name: str
    memory: Callable[[Ask], None]
    dialects: Callable[[Ask], None]


def expect(answer: str, words: str) -> str:
    if words not in answer:
        raise Undone(words)
    return answer


def searches(question: str) -> list[tuple[str, dict[str, Any]]]:
    """In the order of the instructions, with what each has to be given."""
    return [
        ("search_knowledge", {"query": question, "limit": 5}),
        ("tiered_retrieval", {"query": question}),
        ("knowledge.search", {"query": question, "workspaceId": WORKSPACE}),
        ("kp_search_skill", {"query": question}),
        ("pm_knowledge", {"action": "search", "query": question, "topK": 5}),
    ]


def sought(question: str, words: str) -> Task:
    """A question whose answer is somewhere."""

    def by_memory(ask: Ask) -> None:
        expect(ask("recall", question=question), words)

    def by_dialects(ask: Ask) -> None:
        if not any(words in ask(tool, **given) for tool, given in searches(question)):
            raise Undone(words)

    return Task(question, by_memory, by_dialects)


_UNKNOWN = "what is the maiden name of the mayor of Lisbon"


def _unknown(ask: Ask) -> None:
    expect(ask("recall", question=_UNKNOWN), "Nothing relevant")


def _unknown_in_dialects(ask: Ask) -> None:
    """None says that it knows nothing, so all are asked."""
    for tool, given in searches(_UNKNOWN):
        ask(tool, **given)


_LESSON = "Deploys on Friday need a second person who stays reachable until Saturday noon."


def _keep(ask: Ask) -> None:
    expect(ask("remember", text=_LESSON, kind="decision", project="shop"), "note:")


def _keep_in_dialects(ask: Ask) -> None:
    for tool, given in searches(_LESSON)[:2]:
        ask(tool, **given)
    expect(ask("store_knowledge", title="Deploys on Friday", body=_LESSON, tags=["decision"]), "id")


_NEWER = "Orders are published to Kafka now: consumers replay what they missed."


def _replace(ask: Ask) -> None:
    found = expect(ask("recall", question="which event bus do we use"), "RabbitMQ")
    line = next(line for line in found.split("\n") if "Event bus: RabbitMQ" in line)
    reference = next(word for word in line.split() if word.startswith("note:"))
    expect(ask("remember", text=_NEWER, kind="decision", replaces=reference), "note:")


def _replace_in_dialects(ask: Ask) -> None:
    found = expect(ask("search_knowledge", query="which event bus do we use", limit=5), "RabbitMQ")
    old = id_before(found, "Event bus: RabbitMQ")
    new = ask("store_knowledge", title="Event bus: Kafka", body=_NEWER)
    expect(ask("supersede_knowledge", oldId=old, newId=id_in(new)), "supersededById")


def id_in(answer: str) -> str:
    return answer.split('"id":"', 1)[1].split('"', 1)[0]


def id_before(answer: str, words: str) -> str:
    """The id of the hit that has these words as its title."""
    return answer.split(f'"title":"{words}"', maxsplit=1)[0].rsplit('"id":"', 1)[1].split('"', 1)[0]


_CALLED = "without_secrets"


def _callers(ask: Ask) -> None:
    expect(ask("trace", symbol=_CALLED, ask="callers"), "remember")


def _callers_in_dialects(ask: Ask) -> None:
    expect(ask("pm_knowledge", action="code_map", query=f"callers of {_CALLED}"), "remember")


_CHANGED = "says_the_same"


def _impact(ask: Ask) -> None:
    expect(ask("trace", symbol=_CHANGED, ask="impact"), "RememberService.remember")


def _impact_in_dialects(ask: Ask) -> None:
    """Callers, then theirs: the contract has no word for all of them."""
    expect(ask("pm_knowledge", action="code_map", query=f"callers of {_CHANGED}"), "_known")
    asked = "callers of RememberService._known"
    expect(ask("pm_knowledge", action="code_map", query=asked), "remember")


def _new(ask: Ask) -> None:
    expect(ask("recent", since="1d"), "note:")


def _new_in_dialects(ask: Ask) -> None:
    """Notes cannot be listed there; what else is new can."""
    ask("list_knowledge")
    ask("knowledge.list", workspaceId=WORKSPACE)
    ask("pm_knowledge", action="get", scope="all")


def _mend(ask: Ask) -> None:
    found = expect(ask("recall", question="how long do branches live"), "two days")
    line = next(line for line in found.split("\n") if OWN in line)
    reference = next(word for word in line.split() if word.startswith("note:"))
    text = "A branch lives three days at most."
    expect(ask("revise", reference=reference, action="correct", text=text), "corrected")


def _mend_in_dialects(ask: Ask) -> None:
    found = expect(ask("search_knowledge", query="how long do branches live", limit=5), "two days")
    old = id_before(found, OWN)
    new = ask("store_knowledge", title=OWN, body="A branch lives three days at most.")
    expect(ask("supersede_knowledge", oldId=old, newId=id_in(new)), "supersededById")


TASKS = (
    sought("why are prices kept as integers", "rounding"),
    sought("can a migration use an enum value that it has just added", "use it in the next"),
    sought("how do I restore a backup into another home", "commonplace restore"),
    sought("why does the flaky checkout test fail", "port that the proxy"),
    Task("a question that nothing answers", _unknown, _unknown_in_dialects),
    Task("keep a decision, if it is new", _keep, _keep_in_dialects),
    Task("replace a decision by a newer one", _replace, _replace_in_dialects),
    Task("correct a note", _mend, _mend_in_dialects),
    Task(f"who calls {_CALLED}", _callers, _callers_in_dialects),
    Task(f"what breaks if {_CHANGED} changes", _impact, _impact_in_dialects),
    Task("what is new since yesterday", _new, _new_in_dialects),
)
