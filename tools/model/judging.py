"""nDCG@10 by meaning alone in full precision, with texts as the product embeds them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from benchmarks.quality.datasets import Dataset, owner_of
from benchmarks.quality.measures import DEPTH, ndcg
from commonplace.text.parts import parts_to_embed
from tools.model.candidates import Rows

torch: Any = importlib.import_module("torch")
_PROSE = (".md", ".rst")
_TOKENS_AT_ONCE = 4_000


def judged(weights: Mapping[str, Any], arch: Any, tokenizer: Any, dataset: Dataset) -> float:
    pairs = [
        (owner_of(id), part)
        for id, text in dataset.documents.items()
        for part in _parts(id, text, dataset)
    ]
    owners = {owner: place for place, owner in enumerate(dict.fromkeys(one for one, _ in pairs))}
    rows = (
        Rows.of(tokenizer, texts, 512)
        for texts in ([part for _, part in pairs], list(dataset.queries.values()))
    )
    passages, questions = (one.vectors(weights, arch, _TOKENS_AT_ONCE) for one in rows)
    own = torch.tensor([owners[owner] for owner, _ in pairs])
    best = torch.full((len(questions), len(owners)), -2.0)
    best.scatter_reduce_(1, own.expand(len(questions), -1), questions @ passages.T, "amax")
    names = list(owners)
    ranked = best.topk(min(DEPTH, len(names)), 1).indices.tolist()
    return fmean(
        ndcg([names[place] for place in places], gains)
        for places, gains in zip(ranked, dataset.judgments.values(), strict=True)
    )


def _parts(id: str, text: str, dataset: Dataset) -> Iterator[str]:
    first, _, rest = text.partition("\n")
    if "#" in id:
        context = "/".join(first.split("/")[-2:])
        yield from parts_to_embed(context, rest, None if first.endswith(_PROSE) else "code")
    elif dataset.files:
        yield from parts_to_embed(id, text, "code")
    elif rest.strip():
        yield from parts_to_embed(first, rest)
    else:
        yield text
