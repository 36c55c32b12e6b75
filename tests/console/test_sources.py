"""Sources and projects in a browser: added, read before one's eyes, shown as indexed, removed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.console.pages.sources import WORKSPACE
from commonplace.documents.rules import NewSource
from commonplace.model.source import SourceType
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.runs.outcome import Execution, RunRequest
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

Read = Callable[..., Reader]
CODE = """\
class Cart:
    def add(self, item):
        return price(item)


def price(item):
    return 1


def order(item):
    cart = Cart()
    return cart.add(item)


def checkout(item):
    return order(item)
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "docs").mkdir(parents=True)
    (folder / "cart.py").write_text(CODE)
    (folder / "half.ts").write_text("export const one = 1;\nexport function half( {\n")
    (folder / "docs" / "guide.md").write_text("# Guide\n\nCarts are pushed, never pulled.\n")
    commit_at_no_time(folder)
    return folder


def commit_at_no_time(folder: Path) -> None:
    """A commit whose author wrote a year that no calendar has."""

    def git(*words: str, given: str = "") -> str:
        command = ["git", "-C", str(folder), *words]
        return subprocess.run(
            command, input=given, check=True, capture_output=True, text=True
        ).stdout

    git("init", "-q", "-b", "main")
    git("add", ".")
    commit = (
        f"tree {git('write-tree').strip()}\nauthor Ada <a@b.org> 999999999999999 +0000\n"
        "committer Ada <a@b.org> 1714564800 +0000\n\nPush carts\n"
    )
    made = git("hash-object", "-w", "-t", "commit", "--literally", "--stdin", given=commit)
    git("update-ref", "HEAD", made.strip())


def test_documents_are_added_read_and_removed(library: Library, read: Read, tmp_path: Path) -> None:
    handbook = tmp_path / "handbook.md"
    handbook.write_text(
        f"# Lamps\n\n{'Trim the wicks. ' * 20}\n\n# Oil\n\nFill at dusk, <b>never</b> at noon.\n"
    )
    reader = read()
    reader.goto("/sources")
    reader.page.locator("[data-drop] input[type=file]").set_input_files(handbook)
    reader.press("Upload")
    reader.sees("Added; it is being read.")
    reader.page.locator(".row", has_text="handbook.md").get_by_text("ready").wait_for()
    reader.follow("handbook.md")
    reader.sees("Indexed chunks")
    shown = reader.page.locator(".chunks").inner_text()
    assert "<b>never</b> at noon" in shown
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    assert reader.page.locator(".chunks pre").evaluate_all(cut) == 0, "a paragraph is read whole"
    library.settle()
    reader.goto("/?q=when+is+the+oil+filled")
    reader.page.locator(".hit h2 a", has_text="handbook.md").first.click()
    reader.sees("Indexed chunks")
    reader.goto("/sources")
    reader.page.get_by_text("Write a page").click()
    reader.fill("Title", "Duties")
    reader.page.locator("textarea[name=text]").fill("The watch changes at four.")
    reader.press("Save page")
    reader.page.locator(".row", has_text="Duties").get_by_text("ready").wait_for()
    reader.page.get_by_text("Add a web address").click()
    reader.page.locator("input[name=url]").fill("http://127.0.0.1:9/secret")
    reader.press("Add address")
    row = reader.page.locator(".row", has_text="127.0.0.1:9")
    row.get_by_role("alert").wait_for()
    assert "COMMONPLACE_FETCH_ALLOW" in row.inner_text()
    row.get_by_role("button", name="Remove").click()
    reader.sees("Removed.")
    names = {source.name for source in library.application.documents.in_reach(PERSON)}
    assert names == {"handbook.md", "Duties"}
    reader.press("Undo")
    reader.sees("Back again; it is being read.")
    row.get_by_role("button", name="Remove").click()
    reader.sees("Removed.")


def test_many_documents_are_shown_page_by_page(library: Library, read: Read) -> None:
    documents = library.application.documents
    for number in range(51):
        title = f"Leaf {number}"
        page = NewSource(SourceType.PAGE, WORKSPACE, name=title, title=title, text="Pressed.")
        documents.add(PERSON, page)
    newest = [source.name for source in documents.newest(PERSON, 50)]
    reader = read()
    reader.goto("/sources")
    assert reader.page.locator("[data-row] h3").all_inner_texts() == newest
    assert "Leaf 0" not in newest
    reader.follow("Older documents")
    reader.page.get_by_role("link", name="Leaf 0", exact=True).wait_for()
    assert "Leaf 50" not in reader.page.locator("[data-row] h3").all_inner_texts()
    assert reader.goto("/sources?from=12-ab") == 400


@ONE_LIBRARY
def test_what_is_attached_for_every_project_is_shown(
    library: Library, read: Read, shop: Path
) -> None:
    scope = WorkspaceScope(ScopeName.GLOBAL)
    one = AttachmentChange(AttachmentOp.ADD, "", "docs", "folder", str(shop / "docs"))
    library.application.workspace.change(PERSON, scope, [one])
    reader = read()
    reader.goto("/sources")
    everywhere = reader.page.get_by_role("region", name="For all projects")
    everywhere.get_by_role("button", name="Index now").click()
    reader.sees("Reading it again.")
    everywhere.get_by_text("ready", exact=True).wait_for()
    questions: list[str] = []
    reader.page.on("dialog", lambda dialog: questions.append(dialog.message))
    everywhere.get_by_role("button", name="Detach").click()
    reader.sees("The files are not changed.")
    assert questions == [
        "Detach this folder and delete its index? The files on disk are not changed."
    ]
    assert library.application.workspace.view(PERSON, EVERYTHING).attached == ()


@ONE_LIBRARY
def test_what_is_read_at_once_is_no_background_work(
    library: Library, read: Read, shop: Path
) -> None:
    """Its run has no targets to count, and would hide those that have."""
    scope = WorkspaceScope(ScopeName.GLOBAL)
    one = AttachmentChange(AttachmentOp.ADD, "", "docs", "folder", str(shop / "docs"))
    library.application.workspace.change(PERSON, scope, [one])
    (attached,) = library.application.workspace.view(PERSON, scope).attached
    library.application.runs.ingest(PERSON, RunRequest(scope=scope, execution=Execution.BACKGROUND))
    reader = read()
    rows = reader.page.get_by_role("region", name="Background work").locator("tbody tr")
    reader.goto("/activity/health")
    before = rows.count()
    for _ in range(6):
        library.application.runs.ingest(PERSON, RunRequest(scope=scope))
    reader.goto("/activity/health")
    assert rows.count() == before > 0
    removed = AttachmentChange(AttachmentOp.REMOVE, attached.attachment.id)
    library.application.workspace.change(PERSON, scope, [removed])


def test_a_folder_becomes_a_project_whose_code_can_be_walked(
    library: Library, read: Read, shop: Path
) -> None:
    if library.given:
        # A server for many reads only the folders that it was given; this one was given none.
        reader = read()
        reader.goto("/sources")
        reader.page.get_by_text("Add a folder as a project").click()
        reader.fill("Absolute path of the folder", str(shop))
        reader.press("Attach and index")
        reader.page.get_by_role("alert").wait_for()
        assert library.application.workspace.projects(PERSON) == []
        return
    reader = read()
    reader.goto("/sources")
    reader.page.get_by_text("Add a folder as a project").click()
    reader.fill("Absolute path of the folder", str(shop))
    reader.press("Attach and index")
    reader.sees("Attached; it is being indexed.")
    folders = reader.page.locator(".folder", has_text=str(shop))
    folders.first.get_by_text("ready", exact=True).wait_for()
    assert folders.count() == 1, "each file is read once"
    # Commits are read after the files, and an opened list is not replaced by news.
    reader.sees("3 files, 3 chunks, 1 commit")
    reader.page.locator(".folder summary", has_text="1 code file not read completely").click()
    reader.sees("read in part: syntax errors in 1 of 2 lines (50 %), from line 2 on")
    walk_the_code(reader)
    change_the_attachment(library, reader)


def walk_the_code(reader: Reader) -> None:
    reader.goto("/code?q=callers+of+Cart.add")
    reader.sees("cart.py:12")
    assert "return cart.add(item)" in reader.page.locator(".places").inner_text()
    reader.follow("cart.py:12")
    assert "return cart.add(item)" in reader.page.locator("#meant").inner_text()
    reader.page.go_back()
    reader.page.get_by_role("link", name="neighbourhood").first.click()
    graph = reader.page.get_by_role("region", name="Neighbourhood")
    assert {"order", "Cart.add", "price"} <= set(graph.locator("text").all_text_contents())
    graph.get_by_role("link", name="order, cart.py").click()
    reader.page.get_by_role("heading", name="order").wait_for()
    reader.goto("/code?q=history+of+Cart.add")
    reader.sees("Push carts")
    reader.goto("/code?q=definition+of+price")
    reader.page.get_by_role("link", name="impact").first.click()
    reader.sees("Impact of a change")
    tree = reader.page.locator(".tree a").all_inner_texts()
    assert tree == ["price", "Cart.add", "order", "checkout"]
    look_at_the_files(reader)
    reader.goto("/code?q=callers+of+prize")
    reader.sees("No symbol is called prize")
    reader.goto("/code?q=price")
    reader.sees("Symbols with that name")
    assert reader.page.locator("#role-definition").count() == 1
    reader.goto("/code?q=prize")
    reader.sees("No symbol is called prize")
    reader.goto("/code?q=impact+of+price")
    reader.sees("1 direct, 2 further")
    reader.follow("shop/cart.py:12")
    assert "return cart.add(item)" in reader.page.locator("#meant").inner_text()
    reader.page.go_back()
    assert "2 steps away" in reader.page.locator(".places").inner_text()
    reader.goto("/code?q=path+from+checkout+to+price")
    reader.sees("return order(item)")
    reader.goto("/code?q=impact+of+prize")
    reader.sees("No symbol or file is called prize")
    assert reader.goto("/code/symbols/1") == 404
    assert reader.goto("/code/symbols/x") == 404


def look_at_the_files(reader: Reader) -> None:
    """From the folder to a file, and from a result to its lines in one."""
    reader.goto("/sources")
    reader.page.locator(".folder").get_by_role("link", name="file").last.click()
    reader.follow("cart.py")
    reader.page.get_by_role("heading", name="cart.py").wait_for()
    assert "return price(item)" in reader.page.locator(".chunks").inner_text()
    reader.goto("/open/file%3Ashop%2Fcart.py%23L10-12")
    assert "cart = Cart()" in reader.page.locator("#meant").first.inner_text()
    assert reader.goto("/open/file%3Ashop%2Fnothing.py") == 404
    assert reader.goto("/open/nonsense") == 400
    reader.goto("/attachments/nothing/files")
    reader.sees("There is no attachment with that id.")


def change_the_attachment(library: Library, reader: Reader) -> None:
    reader.goto("/sources")
    folder = reader.page.locator(".folder").first
    folder.get_by_text("Trust: operational, weight 1").click()
    folder.get_by_label("Trust").select_option("canonical")
    folder.get_by_label("Weight").fill("2.5")
    folder.get_by_role("button", name="Save").click()
    reader.sees("Saved.")
    attached = library.application.workspace.view(PERSON, EVERYTHING).attached
    kept = {(one.attachment.trust.value, one.attachment.weight) for one in attached}
    assert ("canonical", 2.5) in kept
    reader.page.locator(".folder").first.get_by_role("button", name="Switch off").click()
    reader.sees("switched off")
    reader.page.locator(".folder").first.get_by_role("button", name="Index now").click()
    reader.sees("Reading it again.")
    reader.page.locator(".folder").first.get_by_role("button", name="Detach").click()
    reader.sees("The files are not changed.")
    assert library.application.workspace.view(PERSON, EVERYTHING).attached == ()
    reader.press("Remove project")
    reader.sees("Project removed.")
    assert library.application.workspace.projects(PERSON) == []
