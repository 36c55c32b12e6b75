"""Everything a server or a command works with, once `bootstrap` has put it together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.background.service import Worker
from commonplace.knowledge.service import KnowledgeService
from commonplace.model.actor import Actor
from commonplace.retrieval.service import RetrievalService
from commonplace.settings import Settings
from commonplace.upkeep.service import UpkeepService


@dataclass(frozen=True, slots=True)
class Application:
    settings: Settings
    knowledge: KnowledgeService
    retrieval: RetrievalService
    upkeep: UpkeepService
    new_worker: Callable[[], Worker]
    close: Callable[[], None]

    def local_actor(self, client: str) -> Actor:
        """Who acts when nobody else has been named: the person whose machine it is."""
        return Actor(self.settings.org, self.settings.agent or client, client=client)
