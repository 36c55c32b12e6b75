"""The prompts of the `memory` dialect: recall, remember and hand over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonplace.application import Application
from commonplace.model.actor import Actor
from commonplace.surfaces.tool import PromptField, PromptKind


def _recall(given: Mapping[str, str]) -> str:
    return (
        f"Ask the tool recall: {given['question']}\n"
        "Answer from what it finds, and name the reference of everything that you rely on. Open a "
        "reference where its lines are not enough. If nothing relevant is known, say so."
    )


def _remember(given: Mapping[str, str]) -> str:
    return (
        f"Keep this with the tool remember: {given['text']}\n"
        "Choose its kind (decision, fact, how-to, gotcha, preference, open question), a short "
        "title and the project. If it is known or contradicts something, show me what is there "
        "and ask whether to replace it."
    )


def _handover(given: Mapping[str, str]) -> str:
    project = f" in the project {given['project']}" if given.get("project") else ""
    return (
        f"Hand over to the next agent{project}. Look at recent first. Then remember, each by "
        "itself and in a sentence or two: what was decided and why, what was found out, what "
        "failed and must not be tried again, what is unfinished and where it stands (files and "
        "lines), and what is still open (kind: open question). Replace what is no "
        "longer true. End with the references of all that you kept."
    )


def _projects(application: Application, actor: Actor, beginning: str) -> Sequence[str]:
    handles = (project.handle for project in application.workspace.projects(actor))
    return [one for one in handles if one.casefold().startswith(beginning.casefold())]


PROMPTS = (
    PromptKind(
        "recall",
        "Recall",
        "Answer a question from what is known.",
        (PromptField("question", "what you want to know", required=True),),
        _recall,
    ),
    PromptKind(
        "remember",
        "Remember",
        "Keep something for the next session.",
        (PromptField("text", "what is worth keeping", required=True),),
        _remember,
    ),
    PromptKind(
        "handover",
        "Hand over",
        "Write down what the next agent needs.",
        (PromptField("project", "only of this project", complete=_projects),),
        _handover,
    ),
)
