"""One table of a settings file is changed, and every other line stays."""

from __future__ import annotations

import tomllib

import pytest

from commonplace.clients import toml_text
from commonplace.clients.toml_text import TomlUnreadable

PATH = ("mcp_servers", "commonplace")
OURS = {"command": "/opt/commonplace", "args": ["mcp"], "env": {"COMMONPLACE_HOME": '/data "x"'}}

CODEX = """# my settings
model = "gpt-5"   # the usual

[features]
hooks = true

# files of mine
[mcp_servers.files]
command = "files"
args = ["--root", "/srv"]

[mcp_servers.files.env]
LEVEL = "info"

[projects."/srv/shop"]
trust_level = "trusted"
"""


@pytest.mark.parametrize("text", ["", "model = 'x'\n", CODEX, CODEX.replace("\n", "\r\n")])
def test_a_table_is_added_at_the_end_and_dropped_without_a_trace(text: str) -> None:
    after = toml_text.put(text, PATH, OURS)
    assert after.startswith(text)
    assert tomllib.loads(after)["mcp_servers"]["commonplace"] == OURS
    assert toml_text.drop(after, PATH) == text


def test_a_table_that_is_there_is_replaced_where_it_stands() -> None:
    old = '[mcp_servers.commonplace]\ncommand = "old"\n\n[mcp_servers.commonplace.env]\nA = "b"\n'
    text = CODEX.replace("# files of mine", f"{old}\n# files of mine")
    after = toml_text.put(text, PATH, OURS)
    assert tomllib.loads(after)["mcp_servers"]["commonplace"] == OURS
    assert after.index("[mcp_servers.commonplace]") < after.index("# files of mine")
    assert toml_text.drop(after, PATH) == CODEX


def test_what_leads_to_the_next_table_is_left() -> None:
    text = '[mcp_servers.commonplace]\ncommand = "x"\n\n# about b\n[b]\nc = 1\n'
    assert toml_text.drop(text, PATH) == "\n# about b\n[b]\nc = 1\n"


def test_quoted_headings_are_understood() -> None:
    text = '[ "mcp_servers" . commonplace ] # ours\ncommand = "x"\n'
    assert toml_text.drop(text, PATH) == ""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("model = ", "invalid value"),
        ("model = " + "[" * 50_000, "nested too deeply"),
        ('mcp_servers = { commonplace = { command = "x" } }\n', "not under a header"),
        ('mcp_servers.commonplace.command = "x"\n', "not under a header"),
    ],
)
def test_what_cannot_be_changed_is_refused(text: str, word: str) -> None:
    with pytest.raises(TomlUnreadable, match=word):
        toml_text.put(text, PATH, OURS)
