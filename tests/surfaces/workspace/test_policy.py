"""The source policy: which folders may be attached, and with which code others are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonplace.settings import load_settings
from commonplace.workspace.projects.identity import NewProject
from tests.surfaces.workspace.bench import Bench, adding
from tests.surfaces.workspace.conftest import OpenBench

INVALID = "KNOWLEDGE_INVALID_LOCATOR"
SENSITIVE = "KNOWLEDGE_SENSITIVE_SOURCE"
OUTSIDE = "KNOWLEDGE_SOURCE_OUTSIDE_PROJECT"
BROAD = "KNOWLEDGE_SOURCE_TOO_BROAD"
LARGE = "KNOWLEDGE_SOURCE_TOO_LARGE"


def files_in(bench: Bench, name: str, number: int) -> Path:
    for index in range(number):
        bench.write(f"{name}/page{index}.md", f"# Page {index}")
    return bench.folder / name


@pytest.mark.requirement("workspace.policy.inside-project-root")
def test_a_folder_in_any_root_of_the_project_is_accepted(bench: Bench) -> None:
    project = bench.project("shop")
    more = NewProject("shop", (str(bench.folder_of("second")),))
    assert bench.application.workspace.add_project(bench.actor, more).id == project
    for folder in ("shop/docs", "second/docs", "second", "shop"):
        assert bench.add(project, files_in(bench, folder, 1))["status"] == "attached"


@pytest.mark.requirement(
    "workspace.policy.outside-project-root", "workspace.errors.source-outside-project"
)
def test_a_folder_outside_every_root_is_refused(bench: Bench) -> None:
    project = bench.project("shop")
    beside = files_in(bench, "elsewhere", 1)
    longer = files_in(bench, "shop-old", 1)
    for locator in (beside, longer, bench.folder, f"{bench.folder}/shop/../elsewhere"):
        assert bench.add_code(project, locator) == OUTSIDE
    assert bench.attachments(project) == []


@pytest.mark.requirement("workspace.policy.outside-project-root")
def test_a_link_out_of_the_root_leads_outside(bench: Bench) -> None:
    project = bench.project("shop")
    beside = files_in(bench, "elsewhere", 1)
    (bench.folder / "shop" / "linked").symlink_to(beside)
    assert bench.add_code(project, bench.folder / "shop" / "linked") == OUTSIDE
    # The other way round: a link that leads into the root is the folder there.
    (bench.folder / "way-in").symlink_to(files_in(bench, "shop/docs", 1))
    assert bench.add(project, bench.folder / "way-in")["status"] == "attached"
    (resource,) = bench.get(project)["resources"]
    assert resource["canonicalLocator"] == (bench.folder / "shop" / "docs").as_uri()


@pytest.mark.requirement("workspace.policy.outside-project-root")
def test_a_folder_around_the_root_is_outside(bench: Bench) -> None:
    bench.folder_of("around/shop")
    around = Bench(bench.premises, bench.folder / "around", bench.org)
    assert bench.add_code(around.project("shop"), around.folder) == OUTSIDE


@pytest.mark.requirement("workspace.policy.outside-project-root")
def test_a_project_without_roots_has_no_folders(bench: Bench) -> None:
    project = bench.project("bare", rooted=False)
    assert bench.add_code(project, files_in(bench, "docs", 1)) == OUTSIDE


@pytest.mark.requirement("workspace.policy.global-too-broad", "workspace.errors.source-too-broad")
@pytest.mark.parametrize(
    "locator", ["/", "//", "/tmp", "/tmp/", "/etc", "/usr", "/var", "/proc", "/proc/self", "/sys",
                "/dev", "/home", "/tmp/../etc", "file:///", "file:///etc"]
)  # fmt: skip
def test_a_broad_folder_is_refused(desk: Bench, locator: str) -> None:
    assert desk.add_code(None, locator) == BROAD


@pytest.mark.requirement(
    "workspace.policy.global-too-broad", "workspace.policy.global-narrow-accepted"
)
def test_a_home_is_too_broad_and_so_is_what_holds_it(
    open_bench: OpenBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "people" / "me"
    monkeypatch.setenv("HOME", str(home))
    bench = open_bench()
    handbook = files_in(bench, "people/me/handbook", 1)
    (bench.folder / "shortcut").symlink_to(home)
    for folder in (home, home.parent, bench.folder, bench.folder / "shortcut"):
        assert bench.add_code(None, folder) == BROAD
    assert bench.add(None, handbook)["status"] == "attached"


@pytest.mark.requirement("workspace.policy.global-too-broad")
def test_a_way_through_proc_is_where_it_leads(desk: Bench) -> None:
    assert desk.add_code(None, "/proc/self/root/etc") == BROAD
    assert desk.add_code(None, "/proc/self/cwd/../../../../../../etc") == BROAD


@pytest.mark.requirement("workspace.policy.global-narrow-accepted")
def test_a_narrow_folder_is_accepted(desk: Bench) -> None:
    assert desk.add(None, files_in(desk, "below-tmp", 1))["status"] == "attached"


@pytest.mark.requirement("workspace.policy.sensitive-path", "workspace.errors.sensitive-source")
@pytest.mark.parametrize("name", [".ssh", ".aws", ".ssh/keys", ".aws/sso/cache", ".SSH", ".gnupg"])
def test_where_credentials_are_kept_nothing_is_attached(desk: Bench, name: str) -> None:
    project = desk.project("shop")
    folder = files_in(desk, f"shop/{name}", 1)
    assert desk.add_code(project, folder) == SENSITIVE
    assert desk.add_code(None, folder) == SENSITIVE
    assert desk.ask("get", scope="all")["resources"] == []


@pytest.mark.requirement("workspace.policy.sensitive-credential-name")
@pytest.mark.parametrize("name", [".env", "id_rsa", "id_ed25519", ".ENV", ".netrc", "server.pem"])
def test_a_credential_name_in_the_path_is_refused(desk: Bench, name: str) -> None:
    project = desk.project("shop")
    folder = files_in(desk, f"shop/{name}/docs", 1)
    assert desk.add_code(project, folder) == SENSITIVE


@pytest.mark.requirement("workspace.policy.sensitive-path")
def test_a_link_does_not_hide_credentials(desk: Bench) -> None:
    project = desk.project("shop")
    (desk.folder / "shop" / "notes").symlink_to(files_in(desk, "shop/.ssh", 1))
    assert desk.add_code(project, desk.folder / "shop" / "notes") == SENSITIVE


@pytest.mark.requirement("workspace.policy.sensitive-path")
def test_our_own_data_is_nobodys_source(desk: Bench) -> None:
    assert desk.add_code(None, desk.premises.settings.home) == SENSITIVE


@pytest.mark.requirement(
    "workspace.policy.too-large",
    "workspace.errors.source-too-large",
    "workspace.policy.file-limit",
    "workspace.policy.order-bounds-before-size",
)
def test_a_folder_has_at_most_so_many_files(open_bench: OpenBench) -> None:
    bench = open_bench(max_source_files=3)
    project = bench.project("shop")
    assert bench.add(project, files_in(bench, "shop/three", 3))["status"] == "attached"
    assert bench.add_code(project, files_in(bench, "shop/four", 4)) == LARGE
    assert bench.add_code(project, files_in(bench, "elsewhere", 4)) == OUTSIDE
    assert len(bench.attachments(project)) == 1


@pytest.mark.requirement("workspace.policy.file-limit-says")
def test_a_refusal_by_size_says_how_many_and_what_to_do(open_bench: OpenBench) -> None:
    bench = open_bench(max_source_files=3)
    message = bench.change_refused(None, adding(files_in(bench, "five", 5)))["message"]
    assert "5 files" in message
    assert "3 are allowed (COMMONPLACE_MAX_SOURCE_FILES)" in message


@pytest.mark.requirement("workspace.policy.file-limit", "workspace.policy.file-limit-settings")
def test_the_limit_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().max_source_files == 5_000
    monkeypatch.setenv("VALDR_KNOWLEDGE_MAX_SOURCE_FILES", "3")
    assert load_settings().max_source_files == 3
    monkeypatch.setenv("COMMONPLACE_MAX_SOURCE_FILES", "7")
    assert load_settings().max_source_files == 7


@pytest.mark.requirement("workspace.policy.absolute-path", "workspace.policy.file-url")
def test_a_locator_is_a_path_or_a_file_url(bench: Bench) -> None:
    folder = files_in(bench, "with space & ümlaut/docs", 1)
    bench.add(None, folder)
    (resource,) = bench.get(None)["resources"]
    assert resource["canonicalLocator"].startswith("file:///")
    again = bench.add(None, f"{resource['canonicalLocator']}/")
    assert again["status"] == "already_attached"
    other = files_in(bench, "plain/docs", 1)
    bench.add(None, other.as_uri())
    assert bench.get(None)["resources"][1]["canonicalLocator"] == other.as_uri()


@pytest.mark.requirement(
    "workspace.policy.relative-path",
    "workspace.policy.http-url",
    "workspace.policy.missing-folder",
    "workspace.errors.invalid-locator",
)
@pytest.mark.parametrize(
    "locator",
    [
        "docs",
        "./docs",
        "../docs",
        "~/docs",
        "",
        "http://example.com/docs",
        "https://example.com/docs",
        "ftp://example.com/docs",
        "file://example.com/docs",
        "file:docs",
        "file:///docs#part",
        "file:///no%00such",
        "/no/such/folder/anywhere",
        "/" + "x" * 300,
    ],
)
def test_a_locator_that_leads_nowhere_is_refused(desk: Bench, locator: str) -> None:
    project = desk.project("shop")
    assert desk.add_code(project, locator) == INVALID
    assert desk.add_code(None, locator) == INVALID


@pytest.mark.requirement("workspace.policy.not-a-folder")
def test_a_file_is_no_folder(desk: Bench) -> None:
    project = desk.project("shop")
    file = desk.write("shop/page.md", "# A") / "page.md"
    assert desk.add_code(project, file) == INVALID
    assert desk.add_code(None, file.as_uri()) == INVALID


@pytest.mark.requirement("workspace.policy.order-pair-before-locator")
def test_the_shape_is_looked_at_first(desk: Bench) -> None:
    operation = {**adding("relative/path"), "resourceKind": "file"}
    error = desk.change_refused(None, operation)
    assert error["code"] == "KNOWLEDGE_UNSUPPORTED_SOURCE_TYPE"


@pytest.mark.requirement("workspace.policy.order-locator-before-sensitive")
def test_then_the_locator(desk: Bench) -> None:
    assert desk.add_code(None, "home/.ssh") == INVALID
    assert desk.add_code(None, f"{desk.folder}/.ssh") == INVALID


@pytest.mark.requirement("workspace.policy.order-sensitive-before-bounds")
def test_then_whether_it_is_sensitive(desk: Bench) -> None:
    project = desk.project("shop")
    assert desk.add_code(project, files_in(desk, "elsewhere/.ssh", 1)) == SENSITIVE


@pytest.mark.requirement("workspace.policy.missing-folder")
@pytest.mark.parametrize("dialect", ["postgres"])
def test_a_server_for_many_reads_only_what_it_was_given(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    """And tells nobody what else is on its disk."""
    allowed = tmp_path / "given"
    bench = open_bench(roots=str(allowed))
    assert bench.add(None, files_in(bench, "given/docs", 1))["status"] == "attached"
    beside = files_in(bench, "beside", 1)
    (allowed / "out").symlink_to(beside)
    attempts = (
        "/srv/elsewhere",
        "/no/such",
        str(beside),
        f"{allowed}/../beside",
        f"{allowed}/../none",
    )
    errors = [
        bench.change_refused(None, adding(locator)) for locator in (*attempts, allowed / "out")
    ]
    assert all(error == errors[0] for error in errors)
    assert errors[0]["code"] == INVALID
    assert "commonplace push" in errors[0]["message"]


@pytest.mark.requirement("workspace.policy.global-too-broad")
@pytest.mark.requirement("workspace.policy.sensitive-path")
@pytest.mark.requirement("workspace.policy.outside-project-root")
@pytest.mark.parametrize("dialect", ["postgres"])
def test_a_server_for_many_says_what_the_name_of_a_folder_tells(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    """Whether it exists or not, and wherever a link leads."""
    allowed = tmp_path / "shop"
    bench = open_bench(roots=str(allowed))
    files_in(bench, "shop/docs", 1)
    project = bench.project("shop")
    beside = files_in(bench, "beside", 1)
    (allowed / "out").symlink_to("/etc")
    told = {"/": BROAD, "/etc": BROAD, "/tmp": BROAD, "/srv/ana/.ssh": SENSITIVE}
    for locator, code in told.items():
        assert bench.change_refused(None, adding(locator))["code"] == code
    for locator in ("/etc", "/no/such", str(beside)):
        assert bench.change_refused(project, adding(locator))["code"] == OUTSIDE
    assert bench.change_refused(None, adding(allowed / "out"))["code"] == INVALID
