"""One value of a settings file is changed, and every other character stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.clients import json_text
from commonplace.clients.json_nodes import JsonUnreadable, parse

OURS = {"command": "/opt/commonplace", "args": ["mcp"]}
PATH = ("mcpServers", "commonplace")

COMMENTED = """// Settings of an editor
{
    "theme": "dark", // at night
    /* servers
       of mine */
    "mcpServers": {
        "files": { "command": "files", "args": [] }, // keep
    },
}
"""

TEXTS = {
    "absent": "",
    "space": "\n",
    "empty object": "{}",
    "other settings": '{\n  "theme": "dark"\n}\n',
    "tabs": '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"a": {"command": "a"}\n\t}\n}\n',
    "one line": '{"theme":"dark","mcpServers":{"a":{"command":"a"}}}',
    "comments and last commas": COMMENTED,
    "a comment after the last member": '{\n  "a": 1 // one\n}\n',
    "only a comment": "{\n  // nothing yet\n}\n",
    "windows lines": '{\r\n  "a": 1\r\n}\r\n',
    "brackets in texts": '{\n  "a": "}, // no comment",\n  "b": ["{", "\\"}"]\n}\n',
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_put_is_there_and_everything_else_as_it_was(name: str) -> None:
    text = TEXTS[name]
    before = json_text.read(text)
    after = json_text.put(text, PATH, OURS)
    expected = before | {"mcpServers": before.get("mcpServers", {}) | {"commonplace": OURS}}
    assert json_text.read(after) == expected
    characters = iter(after)
    assert all(character in characters for character in text.strip()), "something was lost"


@pytest.mark.parametrize("name", [name for name in TEXTS if TEXTS[name].strip()])
def test_what_was_put_and_is_dropped_leaves_the_text_as_it_was(name: str) -> None:
    text = TEXTS[name]
    assert json_text.drop(json_text.put(text, PATH, OURS), PATH) == text


def test_a_comment_stays_with_its_member() -> None:
    after = json_text.put('{\n  "a": 1 // one\n}\n', ("b",), 2)
    assert after == '{\n  "a": 1, // one\n  "b": 2\n}\n'
    assert json_text.drop(after, ("b",)) == '{\n  "a": 1 // one\n}\n'


def test_the_style_of_the_file_is_kept() -> None:
    after = json_text.put(TEXTS["tabs"], PATH, OURS)
    assert '\n\t\t"commonplace": {\n\t\t\t"command"' in after
    flat = json_text.put(TEXTS["one line"], PATH, OURS)
    assert "\n" not in flat
    windows = json_text.put(TEXTS["windows lines"], PATH, OURS)
    assert windows.count("\n") == windows.count("\r\n") > 3
    assert '"args": [] }, // keep\n        "commonplace": {' in json_text.put(COMMENTED, PATH, OURS)


def test_a_value_that_is_there_is_replaced_where_it_stands() -> None:
    text = '{\n  "b": {"x": 1}, // first\n  "a": 2\n}\n'
    assert json_text.put(text, ("b",), 3) == '{\n  "b": 3, // first\n  "a": 2\n}\n'


def test_a_member_in_the_middle_goes_with_its_line() -> None:
    text = '{\n  "a": 1,\n  "b": {\n    "x": 1\n  },\n  "c": 3\n}\n'
    assert json_text.drop(text, ("b",)) == '{\n  "a": 1,\n  "c": 3\n}\n'
    assert json_text.drop('{"a": 1, "b": 2, "c": 3}', ("b",)) == '{"a": 1, "c": 3}'
    assert json_text.drop('{"a": 1}', ("b", "c")) == '{"a": 1}'


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"a": 1', "a comma or } is missing, in line 1"),
        ('{\n"a" 1}', "a colon is missing, in line 2"),
        ('{"a": tru}', "a value is missing or misspelt"),
        ('{"a": 1} x', "something follows"),
        ("{a: 1}", "a name in quotes"),
        ('{"a": "x', "a string is not valid or not closed"),
        ("{ /* ", "a comment is not closed"),
        ("[1, 2", "a comma or ] is missing"),
        ("[" * 5000, "nested too deeply"),
        ('{"mcpServers": 1}', "mcpServers is not an object"),
        ("[]", "the document is not an object"),
        ('{"mcpServers": {}, "mcpServers": {}}', "mcpServers occurs twice"),
    ],
)
def test_a_broken_text_is_refused_with_its_line(text: str, word: str) -> None:
    with pytest.raises(JsonUnreadable, match=word):
        json_text.put(text, PATH, OURS)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
_documents = st.dictionaries(st.text(max_size=6), _values, max_size=5)
_spaces = st.sampled_from([None, 1, 2, 4, "\t"])


@given(document=_documents, indent=_spaces, name=st.text(max_size=6), value=_values)
def test_any_document_is_changed_at_one_place_and_back(
    document: dict[str, Any], indent: int | str | None, name: str, value: Any
) -> None:
    text = json.dumps(document, indent=indent)
    assert parse(text).value == document
    after = json_text.put(text, (name,), value)
    assert json.loads(after) == document | {name: value}
    if name not in document:
        assert json_text.drop(after, (name,)) == text
    gone = {k: v for k, v in document.items() if k != name}
    assert json.loads(json_text.drop(text, (name,))) == gone
