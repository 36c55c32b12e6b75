"""Bytes that were given stay as long as anything stands on them, whoever else lets go of them."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace

from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.entry import Entry
from commonplace.model.workspace import KnowledgeType, ProjectDraft
from commonplace.registry.service.contributions import RegistryService
from commonplace.registry.service.verdicts import TrustedPeers
from commonplace.storage.port import Store
from commonplace.workspace.pushing.manifest import FolderManifest, PushedFile, PushLimits
from commonplace.workspace.pushing.service import PushService
from tests.features.house import House
from tests.generate import ALICE, source_draft

SCRIPT = b"echo reap\n"
DIGEST = hashlib.sha256(SCRIPT).hexdigest()
SKILL = "---\nname: Harvest\ndescription: Reap what is ripe.\n---\nRun reap.sh.\n"


def registry(house: House) -> RegistryService:
    return RegistryService(house.store, house.retrieval, QuotaService(house.store), TrustedPeers())


def contributed(house: House, files: dict[str, bytes]) -> Entry:
    service = registry(house)
    made = service.contribute_skill(ALICE, SKILL, files=files)
    return service.skill(ALICE, made.id)


def push(house: House, *paths: str) -> None:
    """A folder whose files are all the same."""
    with house.store.write(ALICE) as tx:
        if not tx.projects.all():
            tx.projects.insert(ProjectDraft("p-1", "field", "Field", ()))
    service = PushService(
        house.store, PushLimits(files=10, file_bytes=1_000), QuotaService(house.store)
    )
    files = tuple(PushedFile(path, DIGEST, len(SCRIPT)) for path in paths)
    manifest = FolderManifest("field", "tools", KnowledgeType.DOCS, files)
    for digest in service.push(ALICE, manifest).missing:
        service.keep(ALICE, digest, SCRIPT)
    assert not service.push(ALICE, manifest).missing


def kept(store: Store) -> bool:
    with store.read(ALICE) as tx:
        return tx.blobs.get(DIGEST) == SCRIPT


def test_a_skill_keeps_its_files_when_a_pushed_folder_lets_go_of_them(house: House) -> None:
    skill = contributed(house, {"reap.sh": SCRIPT})
    push(house, "bin/reap.sh")
    push(house)
    assert registry(house).files_of(ALICE, skill) == {"reap.sh": SCRIPT}


def test_a_skill_keeps_its_files_when_a_source_lets_go_of_them(house: House) -> None:
    skill = contributed(house, {"reap.sh": SCRIPT})
    with house.store.write(ALICE) as tx:
        tx.sources.erase(tx.sources.insert(source_draft("ks_1", digest=DIGEST)))
    assert registry(house).files_of(ALICE, skill) == {"reap.sh": SCRIPT}


def test_versions_that_may_come_back_keep_their_files(house: House) -> None:
    """Superseded, deleted, and edited so that the file is no longer named."""
    skill = contributed(house, {"reap.sh": SCRIPT})
    contributed(house, {"reap.sh": b"echo reap better"})
    house.knowledge.edit(ALICE, skill.id, replace(skill.content, attributes={"head": ""}))
    house.knowledge.delete(ALICE, skill.id)
    push(house, "reap.sh")
    push(house)
    restored = house.knowledge.restore(ALICE, skill.id, 1)
    assert registry(house).files_of(ALICE, restored) == {"reap.sh": SCRIPT}


def test_a_purged_skill_takes_its_files_along(house: House) -> None:
    skill = contributed(house, {"reap.sh": SCRIPT})
    twin = contributed(house, {"again.sh": SCRIPT})
    house.knowledge.purge(ALICE, skill.id)
    assert registry(house).files_of(ALICE, twin) == {"again.sh": SCRIPT}
    house.knowledge.purge(ALICE, twin.id)
    assert not kept(house.store)


def test_what_is_named_while_another_lets_go_of_it_stays(house: House) -> None:
    """Whoever removes bytes waits for whoever is about to name them, and looks again."""
    store = house.store
    with store.write(ALICE) as tx:
        old = tx.sources.insert(source_draft("ks_1", digest=tx.blobs.put(SCRIPT, "text/plain")))

    def erase() -> None:
        with store.write(ALICE) as tx:
            tx.sources.erase(old)

    eraser = threading.Thread(target=erase)
    with store.write(ALICE) as tx:
        assert tx.blobs.missing([DIGEST]) == []
        eraser.start()
        eraser.join(0.2)
        assert eraser.is_alive(), "it has to wait"
        tx.sources.insert(source_draft("ks_2", digest=DIGEST))
    eraser.join()
    assert kept(store)
