"""Gathers the candidates of both legs, and scores each in both."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.embedding.port import Embedder
from commonplace.model.chunk import ChunkTerms, OwnerType
from commonplace.model.query import Fusion, Grain, LexicalLeg, SearchRequest
from commonplace.retrieval.file_similarity import files_to_compare, with_file_similarities
from commonplace.retrieval.fusion import Candidate
from commonplace.retrieval.outcome import QueryVector
from commonplace.retrieval.service.legs import TermLeg, WordLeg
from commonplace.retrieval.service.reads import SearchReads
from commonplace.retrieval.surroundings import NEAR_IN_TIME, Links, links_between, with_surroundings

_FAN_OUT = 100
_FURTHEST = 5_000
# This many, spread over a file, represent its subject as well as all of its vectors do.
_VECTORS_OF_FILE = 8


class Candidates:
    """Runs both legs, and adds the score that each lacks for the other's candidates."""

    def __init__(self, reads: SearchReads, request: SearchRequest, embedded: QueryVector) -> None:
        self._reads = reads
        self._tx = reads.tx
        self._request = request
        self._embedded = embedded
        self._depth = request.depth or max(_FAN_OUT, 2 * (request.limit + request.offset))
        by_owner = request.grain is Grain.OWNER
        self._owners = (request.fan_out or request.limit + request.offset) if by_owner else 0
        self.exact = True

    def gather(self, leg: TermLeg | WordLeg | None, embedder: Embedder) -> list[Candidate]:
        found = set(leg.find(self._reads, self._depth)) if leg else set()
        cosines, chunks = self._with_nearest(found)
        links = self._find_links(chunks, embedder)
        chunks = self._with_neighbours(chunks, links)
        if self._request.fusion is not Fusion.RECIPROCAL_RANK:
            cosines = self._with_missing_cosines(cosines, chunks)
            found = {chunk.key for chunk in chunks}
        lexical = leg.scores([c for c in chunks if c.key in found]) if leg else {}
        counts = leg.counts if isinstance(leg, TermLeg) else {}
        similarities = {key: embedder.similarity(cosine) for key, cosine in cosines.items()}
        candidates = [
            Candidate(
                chunk=chunk,
                coverage=lexical.get(chunk.key),
                similarity=similarities.get(chunk.key),
                counts=counts.get(chunk.key),
            )
            for chunk in chunks
        ]
        return with_surroundings(candidates, links) if links else candidates

    def with_file_similarities(
        self, candidates: Sequence[Candidate], embedder: Embedder
    ) -> Sequence[Candidate]:
        """Add the similarity of their whole files, if the request asks for it."""
        embedded, most = self._embedded, self._request.wholes
        if not most or embedded.vector is None or embedded.model is None:
            return candidates
        files = files_to_compare(candidates, self._request.fusion, most)
        means = self._tx.vectors.mean_cosines(
            embedded.model, embedded.vector, files, _VECTORS_OF_FILE
        )
        return with_file_similarities(
            candidates, {f: embedder.similarity(c) for f, c in means.items()}
        )

    def _find_links(self, chunks: Sequence[ChunkTerms], embedder: Embedder) -> Links:
        """Find the short entries written just before and after those found, if they count."""
        written = [chunk.key for chunk in chunks if chunk.owner.type is OwnerType.ENTRY]
        model = self._embedded.model
        if not self._request.surroundings or not written or model is None:
            return {}
        pairs = self._tx.chunks.around(written, NEAR_IN_TIME)
        cosines = self._tx.vectors.pair_cosines(model, [(pair.key, pair.other) for pair in pairs])
        return links_between(pairs, {pair: embedder.similarity(c) for pair, c in cosines.items()})

    def _with_neighbours(self, chunks: list[ChunkTerms], links: Links) -> list[ChunkTerms]:
        """Add the linked neighbours: one of them may be the answer."""
        missing = sorted(links.keys() - {chunk.key for chunk in chunks})
        if not missing:
            return chunks
        more = self._reads.terms(missing)
        return sorted([*chunks, *more], key=lambda chunk: chunk.key)

    def _with_nearest(self, found: set[int]) -> tuple[dict[int, float], list[ChunkTerms]]:
        """Search deeper while the nearest chunks belong to too few owners, as long texts have
        many chunks."""
        while True:
            cosines = self._nearest()
            chunks = self._reads.terms(sorted(found | cosines.keys()))
            owners = {chunk.owner for chunk in chunks if chunk.key in cosines}
            enough = len(owners) >= self._owners or len(cosines) < self._depth
            if enough or self._depth >= _FURTHEST:
                return cosines, chunks
            self._depth *= 4

    def _nearest(self) -> dict[int, float]:
        embedded, request = self._embedded, self._request
        by_words_only = request.lexical is LexicalLeg.EVERY_WORD_OR_NOTHING
        if embedded.vector is None or embedded.model is None or by_words_only:
            return {}
        nearest = self._tx.vectors.nearest(
            embedded.model, embedded.vector, request.filter, self._depth, request.width
        )
        self.exact = nearest.exact
        return dict(nearest.hits)

    def _with_missing_cosines(
        self, cosines: dict[int, float], chunks: Sequence[ChunkTerms]
    ) -> dict[int, float]:
        embedded = self._embedded
        missing = [chunk.key for chunk in chunks if chunk.key not in cosines]
        if not missing or embedded.vector is None or embedded.model is None:
            return cosines
        return cosines | self._tx.vectors.cosines(embedded.model, embedded.vector, missing)
