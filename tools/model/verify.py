"""Measures the bundled model: python -m tools.model.verify

Prints search quality by vectors alone (nDCG@10, test split), cosines of related and unrelated
texts, times and memory. Decides nothing; the figures that were adopted are in README.md.
"""

from __future__ import annotations

import resource
import time
from statistics import median

import numpy as np

from benchmarks.quality.datasets import NAMES, Dataset, load
from commonplace.embedding.bundled import BundledEmbedder
from tools.model.pairs import of_paraphrases


def main() -> None:
    embedder = BundledEmbedder()
    started = time.perf_counter()
    embedder.embed_query("the first query loads the model")
    print(f"load and first query   {time.perf_counter() - started:.3f} s")
    print(f"later query            {1000 * query_seconds(embedder):.2f} ms (median)")
    pairs = of_paraphrases(embedder)
    print(f"paraphrases            {np.median(pairs.related):.3f} (median cosine)")
    print(f"unrelated notes        {np.median(pairs.unrelated):.3f} (median cosine)")
    for name in NAMES:
        print(quality(embedder, load(name)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory            {peak:.0f} MB")


def query_seconds(embedder: BundledEmbedder) -> float:
    times = []
    for number in range(200):
        started = time.perf_counter()
        embedder.embed_query(f"how do I read a configuration file in version {number}")
        times.append(time.perf_counter() - started)
    return median(times)


def quality(embedder: BundledEmbedder, dataset: Dataset) -> str:
    started = time.perf_counter()
    windows = embedder.embed_passages(list(dataset.documents.values()))
    seconds = time.perf_counter() - started
    ids = list(dataset.documents)
    owner = np.repeat(np.arange(len(ids)), [len(parts) for parts in windows])
    vectors = np.array([vector for parts in windows for vector in parts])
    gains = []
    for query, text in dataset.queries.items():
        best = np.full(len(ids), -1.0)
        np.maximum.at(best, owner, vectors @ embedder.embed_query(text))
        ranked = [ids[place] for place in np.argsort(-best, kind="stable")[:10]]
        gains.append(ndcg(ranked, dataset.judgments[query]))
    rate = len(vectors) / seconds
    size = f"{len(ids)} documents, {len(vectors)} windows, {len(gains)} queries"
    return f"{dataset.name:10} nDCG@10     {np.mean(gains):.4f} ({size}, {rate:.0f} windows/s)"


def ndcg(ranked: list[str], judged: dict[str, int]) -> float:
    """Against the best order possible, over the first ten places."""
    ideal = sorted(judged.values(), reverse=True)[:10]
    return _discounted([judged.get(item, 0) for item in ranked]) / _discounted(ideal)


def _discounted(gains: list[int]) -> float:
    return float(sum(gain / np.log2(place + 2) for place, gain in enumerate(gains)))


if __name__ == "__main__":
    main()
