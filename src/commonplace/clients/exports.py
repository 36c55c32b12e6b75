"""Conversations that clients export as text: marked lines of a terminal, headings, Aider's history.

Knows the marks of speakers; JSON transcripts are the business of `transcripts.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

USER, ASSISTANT = "User", "Assistant"
_Spoken = tuple[str | None, str]
"""Who said a line, and the line: None who spoke before, an empty text a program."""

_MARKED = re.compile(r"(?P<mark>>|[⏺●])[ ](?P<said>.*)")
_TOOL = re.compile(r"\w+\(")
_RESULT = "⎿"
_OF_TERMINALS = ("⏺", _RESULT)
_RULE = "---"
_HEADED = re.compile(
    r"[#*_ ]{1,12}(?:(?P<person>user|human|you)"
    r"|assistant|cursor|claude|chatgpt|copilot|gemini|codex)[*_: ]{0,6}",
    re.IGNORECASE,
)
_AIDER = "# aider chat started at"
_ASKED, _PRINTED = "#### ", "> "


def exported_turns(text: str) -> list[tuple[str, str]]:
    """The turns, each with its speaker; none if the text is no such conversation."""
    for read in _readers(text):
        turns = _turns(map(read, text.splitlines()))
        if {speaker for speaker, _ in turns} == {USER, ASSISTANT}:
            return turns
    return []


def _readers(text: str) -> Iterator[Callable[[str], _Spoken]]:
    if any(mark in text for mark in _OF_TERMINALS):
        yield _in_a_terminal
    if _AIDER in text:
        yield _by_aider
    yield _under_headings


def _turns(lines: Iterable[_Spoken]) -> list[tuple[str, str]]:
    spoken: list[tuple[str, str]] = []
    now = ""
    for speaker, line in lines:
        now = now if speaker is None else speaker
        spoken.append((now, line))
    runs = groupby(spoken, key=lambda one: one[0])
    turns = [
        (speaker, "\n".join(line for _, line in run).strip()) for speaker, run in runs if speaker
    ]
    return [(speaker, said) for speaker, said in turns if said]


def _in_a_terminal(line: str) -> _Spoken:
    marked = _MARKED.match(line)
    if marked is None:
        return ("" if line.lstrip().startswith(_RESULT) else None), line
    if marked["mark"] == ">":
        return USER, marked["said"]
    return ("" if _TOOL.match(marked["said"]) else ASSISTANT), marked["said"]


def _under_headings(line: str) -> _Spoken:
    headed = _HEADED.fullmatch(line)
    if headed is None:
        return None, "" if line == _RULE else line
    return (USER if headed["person"] else ASSISTANT), ""


def _by_aider(line: str) -> _Spoken:
    if line.startswith(_ASKED):
        return USER, line.removeprefix(_ASKED)
    if line.startswith(_PRINTED):
        return "", line
    return (ASSISTANT if line.strip() else None), line
