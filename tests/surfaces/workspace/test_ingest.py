"""`ingest`: what it selects, what it answers, and that the index agrees with the folder then."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from commonplace.model.call import Call
from commonplace.workspace.runs.outcome import RunRequest
from tests.surfaces.nearness import near
from tests.surfaces.workspace.bench import Bench, Shown

CODE = "code_intelligence"
RETRY = """/** Chooses when a refund is tried again: nearness 90. */
export class PaymentRetryPolicy {
  next(attempt: number): number {
    return attempt * zirconium;
  }
}
"""


def docs(bench: Bench, project: str, name: str, text: str) -> Shown:
    """A folder of one page, attached to the project; what was done."""
    bench.write(f"shop/{name}/page.md", f"# {name}\n\n{text}\n")
    return bench.add(project, bench.folder / "shop" / name)


def work(bench: Bench) -> None:
    """What a worker does, until nothing waits."""
    assert bench.application.new_worker().drain(60.0)


def statuses(answer: Shown) -> dict[str, str]:
    return {target["resourceId"]: target["status"] for target in answer["targets"]}


def resource(bench: Bench, id: str) -> Shown:
    listed: list[Shown] = bench.ask("get", scope="all")["resources"]
    return next(each for each in listed if each["id"] == id)


@contextmanager
def another_ingest(bench: Bench, id: str) -> Iterator[None]:
    """One that has begun to read and waits, and goes on afterwards."""
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(30.0)

    asked = RunRequest(resource_ids=(id,))
    given = (bench.actor, asked, Call(check=wait))
    thread = threading.Thread(target=bench.application.runs.ingest, args=given)
    thread.start()
    assert begun.wait(30.0)
    try:
        yield
    finally:
        go_on.set()
        thread.join()


@pytest.mark.requirement(
    "workspace.ingest.inline-waits",
    "workspace.ingest.mode-default",
    "workspace.ingest.execution-default",
    "workspace.ingest.inline-answer",
    "workspace.get.status-ready-after-ingest",
)
def test_inline_answers_when_the_text_is_found(bench: Bench) -> None:
    project = bench.project()
    added = docs(bench, project, "runbooks", "Escalate every wolfram refund to the owner.")

    answer = bench.ingest(project)

    assert (answer["mode"], answer["execution"]) == ("incremental", "inline")
    assert answer["queued"] is False
    assert statuses(answer) == {added["resourceId"]: "ready"}
    assert (answer["readyCount"], answer["skippedCount"], answer["failedCount"]) == (1, 0, 0)
    shown = resource(bench, added["resourceId"])
    assert shown["indexStatus"] == "ready"
    assert shown["chunkCount"] > 0
    (hit,) = bench.hits("wolfram")
    assert hit["resourceId"] == added["resourceId"]


@pytest.mark.requirement("workspace.ingest.embeds")
def test_inline_embeds_what_it_reads(bench: Bench) -> None:
    project = bench.project()
    docs(bench, project, "runbooks", f"Escalate after the third timeout. {near(90)}")
    bench.ingest(project)

    found = bench.ask("search", query="refund escalation", retrievalMode="semantic")

    assert found["retrievalModeUsed"] == "semantic"
    assert len(found["hits"]) == 1
    assert bench.ask("status", scope="all")["staleCount"] == 0


@pytest.mark.requirement(
    "workspace.ingest.example",
    "workspace.ingest.target-fields",
    "workspace.ingest.background-returns-at-once",
)
def test_background_answers_first_and_the_worker_does_the_rest(bench: Bench) -> None:
    project = bench.project()
    added = [docs(bench, project, name, f"About {name} osmium.") for name in ("one", "two")]

    answer = bench.ingest(project, mode="incremental", execution="background")

    assert answer["scope"] == "project"
    assert answer["projectId"] == project
    assert (answer["mode"], answer["execution"]) == ("incremental", "background")
    assert answer["queued"] is True
    assert answer["runId"]
    assert answer["targets"] == [
        {
            "attachmentId": each["attachmentId"],
            "resourceId": each["resourceId"],
            "status": "queued",
        }
        for each in added
    ]
    assert bench.hits("osmium") == []
    work(bench)
    assert len(bench.hits("osmium")) == 2
    for each in added:
        assert resource(bench, each["resourceId"])["indexStatus"] == "ready"


@pytest.mark.requirement("workspace.ingest.run-id")
def test_every_run_has_an_id_of_its_own(bench: Bench) -> None:
    project = bench.project()
    docs(bench, project, "one", "Text.")
    ids = [bench.ingest(project)["runId"] for _ in range(2)]
    ids.append(bench.ingest(project, execution="background")["runId"])
    assert len(set(ids)) == 3
    assert all(isinstance(id, str) and id for id in ids)


@pytest.mark.requirement("workspace.ingest.scope-default", "workspace.ingest.scope-values")
def test_the_scope_selects_and_without_one_everything_is_taken(bench: Bench) -> None:
    project, other = bench.project(), bench.project("other")
    first = docs(bench, project, "one", "Text.")["resourceId"]
    bench.write("other/two/page.md", "Text.")
    second = bench.add(other, bench.folder / "other" / "two")["resourceId"]
    bench.write("shared/page.md", "Text.")
    third = bench.add(None, bench.folder / "shared")["resourceId"]

    assert set(statuses(bench.ask("ingest"))) == {first, second, third}
    assert set(statuses(bench.ask("ingest", scope="all"))) == {first, second, third}
    assert set(statuses(bench.ingest(project))) == {first}
    assert set(statuses(bench.ingest(None))) == {third}
    bench.refused("scope", "ingest", scope="team")


@pytest.mark.requirement("workspace.ingest.project-id-required")
def test_a_project_scope_needs_its_project(bench: Bench) -> None:
    assert bench.code("ingest", scope="project") == "KNOWLEDGE_PROJECT_REQUIRED"
    assert bench.code("ingest", scope="project", projectId="no-such") == (
        "KNOWLEDGE_PROJECT_NOT_FOUND"
    )


@pytest.mark.requirement(
    "workspace.ingest.attachment-ids",
    "workspace.ingest.resource-ids",
    "workspace.ingest.precedence-attachments-first",
    "workspace.ingest.precedence-ids-over-scope",
)
@pytest.mark.parametrize("by", ["attachments", "resources", "both", "resources and scope"])
def test_ids_take_exactly_those(bench: Bench, by: str) -> None:
    project = bench.project()
    wanted, other = (docs(bench, project, name, "Text.") for name in ("one", "two"))
    choices: dict[str, dict[str, Any]] = {
        "attachments": {"attachmentIds": [wanted["attachmentId"]]},
        "resources": {"resourceIds": [wanted["resourceId"]]},
        "both": {
            "attachmentIds": [wanted["attachmentId"]],
            "resourceIds": [other["resourceId"]],
        },
        "resources and scope": {"resourceIds": [wanted["resourceId"]], "scope": "global"},
    }

    answer = bench.ask("ingest", **choices[by])

    assert answer["targets"][0]["attachmentId"] == wanted["attachmentId"]
    assert statuses(answer) == {wanted["resourceId"]: "ready"}
    assert resource(bench, other["resourceId"])["indexStatus"] == "stale"


@pytest.mark.requirement(
    "workspace.ingest.unknown-attachment",
    "workspace.ingest.unknown-resource",
    "workspace.ingest.target-required",
    "workspace.errors.ingest-target-required",
    "workspace.errors.resource-not-found",
)
def test_what_is_not_there_cannot_be_read(bench: Bench) -> None:
    project = bench.project()
    added = docs(bench, project, "one", "Text.")
    stranger = bench.other_org()
    for asking, one in ((bench, "no-such"), (stranger, added["attachmentId"])):
        assert asking.code("ingest", attachmentIds=[one]) == "KNOWLEDGE_ATTACHMENT_NOT_FOUND"
    for asking, one in ((bench, "no-such"), (stranger, added["resourceId"])):
        assert asking.code("ingest", resourceIds=[one]) == "KNOWLEDGE_RESOURCE_NOT_FOUND"
    empty = bench.project("empty")
    assert bench.code("ingest", scope="project", projectId=empty) == (
        "KNOWLEDGE_INGEST_TARGET_REQUIRED"
    )
    assert bench.code("ingest", attachmentIds=[]) == "KNOWLEDGE_INGEST_TARGET_REQUIRED"
    assert stranger.code("ingest") == "KNOWLEDGE_INGEST_TARGET_REQUIRED"


@pytest.mark.requirement(
    "workspace.ingest.mode-values",
    "workspace.ingest.execution-values",
    "workspace.ingest.ids-type",
)
def test_arguments_have_the_values_they_have(bench: Bench) -> None:
    project = bench.project()
    docs(bench, project, "one", "Text.")
    for mode in ("incremental", "rebuild"):
        assert bench.ingest(project, mode=mode)["mode"] == mode
    for execution in ("inline", "background"):
        assert bench.ingest(project, execution=execution)["execution"] == execution
    bench.refused("mode", "ingest", mode="full")
    bench.refused("execution", "ingest", execution="later")
    bench.refused("attachmentIds", "ingest", attachmentIds="att_1")
    bench.refused("resourceIds", "ingest", resourceIds="res_1")
    bench.refused("query", "ingest", query="x")


@pytest.mark.requirement("workspace.ingest.incremental-skips-unchanged")
def test_what_has_not_changed_is_skipped(bench: Bench) -> None:
    project = bench.project()
    added = docs(bench, project, "one", "Text.")["resourceId"]
    bench.ingest(project)
    before = resource(bench, added)["chunkCount"]

    assert statuses(bench.ingest(project)) == {added: "skipped"}
    assert resource(bench, added)["chunkCount"] == before


@pytest.mark.requirement(
    "workspace.ingest.incremental-takes-changed",
    "workspace.ingest.incremental-takes-added",
    "workspace.ingest.deleted-file-gone",
)
def test_the_index_follows_the_folder(bench: Bench) -> None:
    project = bench.project()
    docs(bench, project, "one", "The old text says beryllium.")
    bench.write("shop/one/doomed.md", "Only here: tellurium.")
    bench.ingest(project)
    assert bench.hits("beryllium")
    assert bench.hits("tellurium")

    bench.write("shop/one/page.md", "# one\n\nThe new text says gallium.\n")
    bench.write("shop/one/more.md", "Another one says indium.")
    (bench.folder / "shop/one/doomed.md").unlink()
    (target,) = bench.ingest(project)["targets"]

    assert target["status"] == "ready"
    assert (target["filesWritten"], target["filesRemoved"]) == (2, 1)
    assert bench.hits("gallium")
    assert bench.hits("indium")
    assert bench.hits("beryllium") == []
    assert bench.hits("tellurium") == []


def lines(hits: list[dict[str, Any]]) -> set[tuple[int, int]]:
    return {(hit["lineStart"], hit["lineEnd"]) for hit in hits}


@pytest.mark.requirement("workspace.ingest.incremental-takes-changed")
def test_a_file_that_moved_keeps_its_chunks(bench: Bench) -> None:
    project = bench.project()
    bench.write("shop/src/old/retry.ts", RETRY)
    bench.add(project, bench.folder / "shop/src", CODE)
    bench.ingest(project)
    before = lines(bench.hits("zirconium"))

    (bench.folder / "shop/src/new").mkdir()
    (bench.folder / "shop/src/old/retry.ts").rename(bench.folder / "shop/src/new/policy.ts")
    (target,) = bench.ingest(project)["targets"]

    assert (target["filesMoved"], target["filesWritten"]) == (1, 0)
    after = bench.hits("zirconium")
    assert lines(after) == before
    assert all(hit["path"].endswith("new/policy.ts") for hit in after)
    # Also by the words of its path, of which the old ones are gone.
    assert bench.hits("policy.ts", retrievalMode="lexical", exactToken=False)
    semantic = bench.ask("search", query="refund tried again", retrievalMode="semantic")
    assert lines(semantic["hits"]) == before


@pytest.mark.requirement("workspace.ingest.rebuild-re-extracts")
def test_a_rebuild_makes_the_same_again(bench: Bench) -> None:
    project = bench.project()
    added = docs(bench, project, "one", "Says rubidium.")["resourceId"]
    bench.ingest(project)
    before, count = bench.hits("rubidium"), resource(bench, added)["chunkCount"]

    assert statuses(bench.ingest(project, mode="rebuild")) == {added: "ready"}

    assert resource(bench, added)["chunkCount"] == count
    assert [hit["chunkId"] for hit in bench.hits("rubidium")] == [hit["chunkId"] for hit in before]


@pytest.mark.requirement("workspace.ingest.failed-target", "workspace.ingest.failed-retried")
def test_a_folder_that_has_gone_fails_alone_and_is_tried_again(bench: Bench) -> None:
    project = bench.project()
    good = docs(bench, project, "good", "Says caesium.")["resourceId"]
    gone = docs(bench, project, "gone", "Says francium.")["resourceId"]
    shutil.move(bench.folder / "shop/gone", bench.folder / "elsewhere")

    answer = bench.ingest(project)

    assert statuses(answer) == {good: "ready", gone: "failed"}
    assert answer["failedCount"] == 1
    assert {one["resourceId"] for one in answer["targets"] if one.get("errorMessage")} == {gone}
    assert bench.hits("caesium")
    failed = resource(bench, gone)
    assert failed["indexStatus"] == "failed"
    assert failed["latestIndexRun"]["errorMessage"]
    assert str(bench.folder) not in failed["latestIndexRun"]["errorMessage"]

    shutil.move(bench.folder / "elsewhere", bench.folder / "shop/gone")
    assert statuses(bench.ingest(project))[gone] == "ready"
    assert bench.hits("francium")


@pytest.mark.requirement("workspace.ingest.indexing-skipped")
def test_what_another_run_reads_at_the_moment_is_skipped(bench: Bench) -> None:
    project = bench.project()
    added = docs(bench, project, "one", "Says hafnium.")["resourceId"]
    bench.ingest(project)
    bench.write("shop/one/page.md", "# one\n\nSays tantalum.\n")
    with another_ingest(bench, added):
        assert resource(bench, added)["indexStatus"] == "indexing"
        for execution in ("inline", "background"):
            assert statuses(bench.ingest(project, execution=execution)) == {added: "skipped"}
    assert resource(bench, added)["chunkCount"] == 1
    assert bench.hits("tantalum")


@pytest.mark.requirement(
    "workspace.policy.credential-files-not-indexed",
    "workspace.policy.credential-files-reported",
    "workspace.policy.symlink-escape",
)
def test_credentials_and_what_lies_outside_never_come_into_the_index(bench: Bench) -> None:
    project = bench.project()
    bench.write("outside/notes.md", "Outside: polonium.")
    bench.write("shop/src/a.md", "Inside: astatine.")
    for name in (".env", "id_rsa", "deep/.env.local"):
        bench.write(f"shop/src/{name}", "TOKEN=polonium")
    (bench.folder / "shop/src/link.md").symlink_to(bench.folder / "outside/notes.md")
    (bench.folder / "shop/src/linked").symlink_to(bench.folder / "outside")
    bench.add(project, bench.folder / "shop/src", CODE)

    for mode in ("incremental", "rebuild"):
        warnings = bench.ingest(project, mode=mode)["warnings"]
        marker = ": Its name suggests that it contains credentials"
        told = [line.split(marker)[0] for line in warnings]
        assert told == [".env", "deep/.env.local", "id_rsa"]
        assert bench.hits("astatine")
        assert bench.hits("polonium") == []


@pytest.mark.requirement("workspace.ingest.failed-target")
def test_a_file_that_cannot_be_read_is_told_and_does_no_harm(bench: Bench) -> None:
    project = bench.project()
    docs(bench, project, "one", "Says radon.")
    (bench.folder / "shop/one/broken.pdf").write_bytes(b"%PDF-1.7 nothing of a PDF")
    (bench.folder / "shop/one/data.weird").write_bytes(b"\0\1\2" * 100)

    answer = bench.ingest(project)

    assert answer["targets"][0]["status"] == "ready"
    assert [line.split(":")[0] for line in answer["warnings"]] == ["broken.pdf"]
    assert bench.hits("radon")
    assert bench.ingest(project)["targets"][0]["status"] == "skipped"


@pytest.mark.requirement("workspace.ingest.disabled-left-out")
def test_what_is_switched_off_is_read_only_by_its_name(bench: Bench) -> None:
    project = bench.project()
    on, off = docs(bench, project, "on", "Text."), docs(bench, project, "off", "Text.")
    bench.change(project, {"op": "disable", "attachmentId": off["attachmentId"]})
    assert set(statuses(bench.ingest(project))) == {on["resourceId"]}
    assert set(statuses(bench.ask("ingest"))) == {on["resourceId"]}
    named = bench.ask("ingest", attachmentIds=[off["attachmentId"]])
    assert statuses(named) == {off["resourceId"]: "ready"}
