"""What was said, out of the files that clients keep of a session."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.clients.transcripts import project_of, turns_of

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


CHATGPT = {
    "mapping": {
        "a": {"message": {"author": {"role": "user"}, "content": {"parts": ["Why?"]}}},
        "b": {"message": {"author": {"role": "tool"}, "content": {"parts": ["output"]}}},
        "c": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["Because."]}}},
    }
}
VSCODE = {"requests": [{"message": {"text": "Why?"}, "response": [{"value": "Because."}]}]}
ASKED = ["User: Why?", "Assistant: Because."]
WHY, BECAUSE = ([{"type": "text", "text": said}] for said in ("Why?", "Because."))
CURSOR: list[dict[str, Any]] = [
    {"role": "user", "message": {"content": WHY}},
    {"role": "assistant", "message": {"content": [*BECAUSE, {"type": "tool_use", "input": {}}]}},
    {"type": "turn_ended"},
]
COPILOT: list[dict[str, Any]] = [
    {"type": "session.start", "data": {"cwd": "/src/shop"}},
    {"type": "user.message", "data": {"content": "Why?"}},
    {"type": "assistant.message", "data": {"content": "Because.", "toolRequests": []}},
    {"type": "tool.execution_complete", "data": {"result": {"content": "output"}}},
]
OPENCODE = {
    "info": {"id": "ses_1", "directory": "/src/shop"},
    "messages": [
        {
            "info": {"role": "user"},
            "parts": [*WHY, {"type": "text", "text": "Called the Read tool", "synthetic": True}],
        },
        {"info": {"role": "assistant"}, "parts": [{"type": "reasoning", "text": "Hm"}, *BECAUSE]},
    ],
}
CLAUDE_EXPORT = [
    {
        "chat_messages": [
            {"sender": "human", "text": "Why?", "content": WHY},
            {"sender": "assistant", "text": "Because.", "content": BECAUSE},
        ]
    }
]


@pytest.mark.parametrize(
    "text",
    [lines(CURSOR), lines(COPILOT), json.dumps(OPENCODE), json.dumps(CLAUDE_EXPORT)],
    ids=["cursor", "copilot", "opencode", "claude.ai"],
)
def test_sessions_of_further_clients_are_read(text: str) -> None:
    assert turns_of(text) == ASKED


def test_turns_of_people_and_agents_are_found_and_tools_are_not() -> None:
    told = ["User: Why is it slow?", "Assistant: Because of one query for each row."]
    assert turns_of(lines(CLAUDE)) == told
    assert turns_of(lines(CODEX)) == ["User: Hi"]
    assert turns_of(json.dumps(GEMINI)) == ["User: Hello", "Assistant: Yes?"]
    assert turns_of(json.dumps(CHATGPT)) == turns_of(json.dumps([VSCODE])) == ASKED


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("<system-reminder>\nNever say this.\n</system-reminder>\nWhy?", ["User: Why?"]),
        ("# AGENTS.md\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", ["User: # AGENTS.md"]),
        ('<attached_file path="a.md">\nUse tabs.\n</attached_file>', []),
        ("<user_query>\nWhy?\n</user_query>", ["User: <user_query>\nWhy?\n</user_query>"]),
        ("<a-b>one</a-b> Why? <a-b>two</a-b> <c_d> Because.", ["User: Why?  <c_d> Because."]),
        ("Is <b>this</b> right?", ["User: Is <b>this</b> right?"]),
    ],
)
def test_what_a_client_put_into_a_turn_was_not_said(given: str, said: list[str]) -> None:
    assert turns_of(json.dumps({"role": "user", "content": given})) == said


@pytest.mark.parametrize("mark", ["isMeta", "isCompactSummary"])
def test_a_message_of_the_client_itself_was_not_said(mark: str) -> None:
    message = {"message": {"role": "user", "content": "Do not respond to these."}}
    assert turns_of(json.dumps({"type": "user", mark: True} | message)) == []
    assert turns_of(json.dumps({"type": "user", mark: False} | message)) != []


def test_what_has_no_known_shape_is_plain_text_or_silence() -> None:
    assert turns_of("plain words") == ["plain words"]
    assert turns_of("") == turns_of("[[[[[[[[[[1]]]]]]]]]]") == []
    assert turns_of('{"role": "user", "content": 3}') == []


@pytest.mark.parametrize(
    ("text", "project"),
    [
        ('{"type": "user", "cwd": "/src/shop", "message": {}}\n', "shop"),
        ('{"type":"session_meta","payload":{"cwd":"C:\\\\src\\\\shop\\\\"}}', "shop"),
        (lines(COPILOT), "shop"),
        (json.dumps(OPENCODE), "shop"),
        ('{"cwd": "/"}', None),
        ('{"cwd": "\\x"}', None),
        ('{"cwd": 3}', None),
        ("plain words", None),
    ],
)
def test_a_session_names_its_project(text: str, project: str | None) -> None:
    assert project_of(text) == project


inner = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.sampled_from(["user", "model", "text"]),
    lambda some: (
        st.lists(some, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "type",
                    "author",
                    "message",
                    "content",
                    "text",
                    "parts",
                    "response",
                    "value",
                    "info",
                    "data",
                    "sender",
                ]
            ),
            some,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(inner)
@example({"role": []})
@example({"type": {}, "author": {"role": [1]}})
def test_any_document_is_read(document: Any) -> None:
    assert all(isinstance(turn, str) for turn in turns_of(json.dumps(document)))
