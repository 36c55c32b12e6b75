"""What was said, out of the files that clients keep of a session."""

from __future__ import annotations

import json
from typing import Any

from commonplace.clients.transcripts import spoken

RESULT = {"type": "tool_result", "content": "x"}
GREETING = {"type": "input_text", "text": "Hi"}
CLAUDE: list[dict[str, Any]] = [
    {"type": "summary", "summary": "A fix"},
    {"type": "user", "message": {"role": "user", "content": "Why is it slow?"}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Because of one query for each row."},
                {"type": "tool_use", "name": "Bash", "input": {"command": "cat secret"}},
            ],
        },
    },
    {
        "type": "user",
        "message": {"role": "user", "content": [RESULT]},
    },
]
CODEX: list[dict[str, Any]] = [
    {"type": "session_meta", "payload": {"cwd": "/srv"}},
    {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [GREETING],
        },
    },
]
GEMINI = {"messages": [{"type": "user", "content": "Hello"}, {"type": "gemini", "content": "Yes?"}]}


def lines(documents: list[dict[str, Any]]) -> str:
    return "\n".join(["not json", *map(json.dumps, documents)])


def test_turns_of_people_and_agents_are_found_and_tools_are_not() -> None:
    assert spoken(lines(CLAUDE), 1000) == "Why is it slow?\n\nBecause of one query for each row."
    assert spoken(lines(CODEX), 1000) == "Hi"
    assert spoken(json.dumps(GEMINI), 1000) == "Hello\n\nYes?"


def test_the_last_words_count_and_anything_else_is_silence() -> None:
    assert spoken(json.dumps(GEMINI), 4) == "Yes?"
    assert spoken("", 10) == spoken("plain words", 10) == spoken("[[[[[[[[1]]]]]]]]", 10) == ""
    assert spoken('{"role": "user", "content": 3}', 10) == ""
