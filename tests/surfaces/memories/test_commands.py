"""The six commands, in the words of the documentation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memories.conftest import SURFACES
from tests.surfaces.memories.drawer import HEADING, ROOT, TOOL, Drawer
from tests.surfaces.nearness import embedded_at

FILE = "/memories/prefs.md"


@pytest.mark.requirement("memories.surface.on-request")
def test_it_is_offered_where_it_is_asked_for(
    drawer: Drawer, open_premises: OpenPremises, endpoint: str
) -> None:
    tool = drawer.caller.tools()[TOOL]
    schema = tool.input_schema
    assert schema["required"] == ["command"]
    commands = ["view", "create", "str_replace", "insert", "delete", "rename"]
    assert schema["properties"]["command"]["enum"] == commands
    assert set(schema["properties"]) == {
        "command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line",
        "insert_text", "old_path", "new_path",
    }  # fmt: skip
    assert not tool.annotations.read_only_hint
    usual = open_premises(**embedded_at(endpoint)).caller().tools()
    assert TOOL not in usual


@pytest.mark.requirement("memories.view.directory")
def test_a_directory_is_shown_two_levels_deep(drawer: Drawer) -> None:
    assert drawer("view", path=ROOT) == HEADING.format(path=ROOT) + "0B\t/memories"
    drawer.file(FILE, "x" * 1536)
    drawer.file("/memories/shop/cart.md", "é")
    drawer.file("/memories/shop/deep/er/far.md", "far")
    for hidden in ("/memories/.secret", "/memories/node_modules/a.js", "/memories/shop/.x/y"):
        drawer.file(hidden)
    assert drawer("view", path="/memories/") == HEADING.format(path=ROOT) + (
        "1.5K\t/memories\n1.5K\t/memories/prefs.md\n5B\t/memories/shop/\n"
        "2B\t/memories/shop/cart.md\n3B\t/memories/shop/deep/"
    )
    assert drawer.listed("/memories/shop") == [
        "/memories/shop", "/memories/shop/cart.md", "/memories/shop/deep/",
        "/memories/shop/deep/er/",
    ]  # fmt: skip


@pytest.mark.requirement("memories.view.file")
def test_a_file_is_shown_with_its_lines_numbered(drawer: Drawer) -> None:
    drawer.file(FILE, "".join(f"line {number}\n" for number in range(1, 11)))
    head = f"Here's the content of {FILE} with line numbers:\n"
    assert drawer("view", path=FILE).startswith(f"{head}     1\tline 1\n     2\tline 2\n")
    assert "\n    10\tline 10\n    11\t" in drawer("view", path=FILE)
    part = drawer("view", path=FILE, view_range=[9, 10])
    assert part == f"{head}     9\tline 9\n    10\tline 10"
    assert drawer("view", path=FILE, view_range=[10, -1]).endswith("    10\tline 10\n    11\t")
    for span in ([0, 2], [12, -1], [5, 4], [-3, 2]):
        told = drawer.refusal("view", path=FILE, view_range=span)
        assert told.startswith(f"Error: Invalid `view_range` parameter: {span}.")
        assert "[1, 11]" in told


@pytest.mark.requirement("memories.view.missing")
def test_what_is_not_there_is_not_shown(drawer: Drawer) -> None:
    for path in (FILE, "/memories/shop/"):
        told = drawer.refusal("view", path=path)
        assert told == f"The path {path} does not exist. Please provide a valid path."


@pytest.mark.requirement("memories.create.creates")
@pytest.mark.parametrize("text", ["", "\n", "no end", "a\tb\r\n\n  c \n", "é🙂\n"])
def test_a_file_is_kept_exactly(drawer: Drawer, text: str) -> None:
    made = drawer("create", path=FILE, file_text=text)
    assert made == f"File created successfully at: {FILE}"
    assert "\n".join(drawer.lines(FILE)) == text


@pytest.mark.requirement("memories.create.creates")
def test_what_exists_is_not_overwritten(drawer: Drawer) -> None:
    drawer.file("/memories/shop/cart.md", "first\n")
    for path in ("/memories/shop/cart.md", "/memories/shop", "/memories"):
        told = drawer.refusal("create", path=path, file_text="second")
        assert told == f"Error: File {path} already exists"
    told = drawer.refusal("create", path="/memories/shop/cart.md/below", file_text="x")
    assert told == "Error: /memories/shop/cart.md is a file, not a directory"
    assert drawer.lines("/memories/shop/cart.md") == ["first", ""]


@pytest.mark.requirement("memories.str-replace.replaces")
def test_one_occurrence_is_replaced(drawer: Drawer) -> None:
    drawer.file(FILE, "one\ntwo\nthree\nfour\nfive\nsix\n")
    told = drawer("str_replace", path=FILE, old_str="four", new_str="4\nfour and a half")
    assert told == (
        "The memory file has been edited. Here is the snippet showing the change (with line "
        "numbers):\n     2\ttwo\n     3\tthree\n     4\t4\n     5\tfour and a half\n     6\tfive"
    )
    assert drawer("str_replace", path=FILE, old_str="one\n")
    assert drawer.lines(FILE)[0] == "two"


@pytest.mark.requirement("memories.str-replace.replaces")
def test_what_cannot_be_replaced_is_left_alone(drawer: Drawer) -> None:
    drawer.file(FILE, "tax\nno\ntax\n")
    told = drawer.refusal("str_replace", path=FILE, old_str="vat", new_str="x")
    assert told == (
        f"No replacement was performed, old_str `vat` did not appear verbatim in {FILE}."
    )
    told = drawer.refusal("str_replace", path=FILE, old_str="tax", new_str="x")
    assert told == (
        "No replacement was performed. Multiple occurrences of old_str `tax` in lines: 1, 3. "
        "Please ensure it is unique"
    )
    crowded = "/memories/crowded.md"
    drawer.file(crowded, "tax " * 20_000)
    told = drawer.refusal("str_replace", path=crowded, old_str="tax", new_str="x")
    assert told.endswith("1, 1, …. Please ensure it is unique")
    assert len(told) < 300
    told = drawer.refusal("str_replace", path=crowded, old_str="vat" * 20_000, new_str="x")
    assert len(told) < 700
    for path in ("/memories/none.md", ROOT):
        told = drawer.refusal("str_replace", path=path, old_str="a", new_str="b")
        assert told == f"Error: The path {path} does not exist. Please provide a valid path."
    assert "old_str" in drawer.refusal("str_replace", path=FILE, old_str="", new_str="x")
    assert drawer.lines(FILE) == ["tax", "no", "tax", ""]


@pytest.mark.requirement("memories.insert.inserts")
def test_text_is_inserted_after_a_line(drawer: Drawer) -> None:
    drawer.file(FILE, "one\ntwo")
    assert drawer("insert", path=FILE, insert_line=0, insert_text="zero\n") == (
        f"The file {FILE} has been edited."
    )
    drawer("insert", path=FILE, insert_line=3, insert_text="three")
    assert drawer.lines(FILE) == ["zero", "one", "two", "three", ""]
    for line in (-1, 5):
        assert drawer.refusal("insert", path=FILE, insert_line=line, insert_text="x") == (
            f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of "
            "lines of the file: [0, 4]"
        )
    for path in ("/memories/none.md", ROOT):
        told = drawer.refusal("insert", path=path, insert_line=0, insert_text="x")
        assert told == f"Error: The path {path} does not exist"


@pytest.mark.requirement("memories.delete.deletes")
def test_files_and_directories_are_deleted(drawer: Drawer) -> None:
    for path in (FILE, "/memories/shop/a.md", "/memories/shop/b/c.md", "/memories/shopping.md"):
        drawer.file(path)
    assert drawer("delete", path="/memories/shop") == "Successfully deleted /memories/shop"
    assert drawer.listed() == [ROOT, FILE, "/memories/shopping.md"]
    assert drawer("delete", path=FILE) == f"Successfully deleted {FILE}"
    for path in (FILE, "/memories/shop"):
        assert drawer.refusal("delete", path=path) == f"Error: The path {path} does not exist"
    assert drawer.refusal("delete", path=ROOT) == "Cannot delete the /memories directory itself"
    drawer.file(FILE, "again\n")
    assert drawer.lines(FILE) == ["again", ""]


@pytest.mark.requirement("memories.rename.renames")
def test_files_and_directories_are_renamed(drawer: Drawer) -> None:
    for path in (FILE, "/memories/shop/a.md", "/memories/shop/b/c.md"):
        drawer.file(path, path)
    told = drawer("rename", old_path="/memories/shop", new_path="/memories/old/shop")
    assert told == "Successfully renamed /memories/shop to /memories/old/shop"
    assert drawer.lines("/memories/old/shop/b/c.md") == ["/memories/shop/b/c.md"]
    drawer("rename", old_path=FILE, new_path="/memories/p.md")
    assert drawer.listed() == [ROOT, "/memories/old/", "/memories/old/shop/", "/memories/p.md"]
    wrong = [
        ("/memories/p.md", "/memories/old", "Error: The destination /memories/old already exists"),
        (FILE, "/memories/x", f"Error: The path {FILE} does not exist"),
        ("/memories/old", "/memories/old/new", "Error: /memories/old cannot be moved into itself"),
        (ROOT, "/memories/x", "Cannot rename the /memories directory itself"),
        ("/memories/old", "/memories/p.md/x", "Error: /memories/p.md is a file, not a directory"),
    ]
    for old, new, words in wrong:
        assert drawer.refusal("rename", old_path=old, new_path=new) == words
    assert drawer.listed() == [ROOT, "/memories/old/", "/memories/old/shop/", "/memories/p.md"]


OUTSIDE = (
    "/etc/passwd", "memories/a", "/memoriesque/a", "", "/", "/memories/../etc/passwd",
    "/memories/a/../../etc", "/memories/..", "/memories/./a", "/memories/%2e%2e/etc",
    "/memories/..%2fetc", "/memories/..\\..\\etc", "/memories/%5c..", "/memories/a\nb",
    f"/memories/{'x' * 600}",
)  # fmt: skip


@pytest.mark.requirement("memories.paths.inside")
def test_no_path_leads_out(drawer: Drawer) -> None:
    drawer.file(FILE)
    for path in OUTSIDE:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("view", {"path": path}),
            ("create", {"path": path, "file_text": "x"}),
            ("str_replace", {"path": path, "old_str": "a", "new_str": "b"}),
            ("insert", {"path": path, "insert_line": 0, "insert_text": "x"}),
            ("delete", {"path": path}),
            ("rename", {"old_path": path, "new_path": "/memories/x"}),
            ("rename", {"old_path": FILE, "new_path": path}),
        ]
        for command, given in calls:
            told = drawer.refusal(command, **given)
            assert "must start with /memories" in told or "escape" in told or "most 500" in told
    assert drawer.listed() == [ROOT, FILE]


@pytest.mark.requirement("memories.arguments.by-command")
def test_each_command_takes_its_own(drawer: Drawer) -> None:
    assert drawer.refusal("create", path=FILE) == "Error: create needs file_text."
    assert drawer.refusal("rename", path=FILE) == "Error: rename needs old_path, new_path."
    told = drawer.refusal("view", path=FILE, file_text="x")
    assert told == "Error: view does not take file_text."
    assert "command" in drawer.refusal("destroy", path=FILE)
    assert "unknown argument" in drawer.refusal("view", path=FILE, pathh=FILE)
    assert "two numbers" in drawer.refusal("view", path=FILE, view_range=[1])
    assert drawer.refusal("view", path="/memories/\0").startswith("path has a NUL")


@pytest.mark.requirement("memories.files.limits")
def test_a_file_is_not_endless(drawer: Drawer, open_premises: OpenPremises, endpoint: str) -> None:
    assert "at most 100,000" in drawer.refusal("create", path=FILE, file_text="x" * 100_001)
    drawer.file(FILE, "x" * 99_999 + "\n")
    told = drawer.refusal("insert", path=FILE, insert_line=0, insert_text="y")
    assert "at most 100,000" in told
    assert drawer.lines(FILE)[0][0] == "x"
    guarded = open_premises(
        surfaces=SURFACES, quota_knowledge_stored=1, org="poor", **embedded_at(endpoint)
    )
    poor = Drawer(guarded.caller("pat", "poor"))
    poor.file(FILE)
    assert "quota" in poor.refusal("create", path="/memories/two", file_text="x").lower()
    assert poor.listed() == [ROOT, FILE]
