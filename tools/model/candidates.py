"""Texts as rows of tokens, and for each question what answers it and what nearly does.

Decides which passages a question is held against, by the vectors of the model that is trained.
"""

from __future__ import annotations

import importlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.model.encoder import encode
from tools.model.lessons import PAD
from tools.model.questions import Lesson

torch: Any = importlib.import_module("torch")
# Of a document that answers, its nearest passages are right; of the others, so many are wrong.
_RIGHT, _WRONG = 4, 32
# A question whose answer is further down is not learned from: it says too little.
_DEEPEST = {"changes": 60}
_DEEP = 30
_LEAST_QUESTIONS = 8
_SPREAD = 0.03
_NONE = -2.0
# A thread for each processor computes groups of its own: none waits for the other in every product.
THREADS = os.cpu_count() or 1
_threads = ThreadPoolExecutor(THREADS)


def together(work: Callable[[Any], Any], groups: Iterable[Any]) -> Iterator[Any]:
    torch.set_num_threads(1)
    return _threads.map(work, groups)


@dataclass(frozen=True, slots=True)
class Rows:
    tokens: Any
    starts: Any
    lengths: Any

    @classmethod
    def of(cls, tokenizer: Any, texts: Sequence[str], most: int) -> Rows:
        tokenizer.enable_truncation(most)
        rows = [one.ids for one in tokenizer.encode_batch(list(texts))]
        lengths = torch.tensor([len(row) for row in rows])
        tokens = torch.tensor([token for row in rows for token in row])
        return cls(tokens, torch.cumsum(lengths, 0) - lengths, lengths)

    def vectors(self, weights: Mapping[str, Any], arch: Any, most: int) -> Any:
        """Those of all texts, without what a gradient would need."""
        order, groups = self.groups(torch.arange(len(self.lengths)), most)

        def encoded(at: Any) -> Any:
            with torch.no_grad():
                return encode(weights, arch, *self.inputs(at))

        made = list(together(encoded, groups))
        return torch.cat(made)[torch.argsort(order)]

    def groups(self, at: Any, most: int) -> tuple[Any, list[Any]]:
        """The texts `at` in the order of their lengths, in groups of so many tokens."""
        order = torch.argsort(self.lengths[at], stable=True)
        lengths = self.lengths[at][order].tolist()
        found, start = [], 0
        while start < len(lengths):
            end = start + 1
            while end < len(lengths) and (end + 1 - start) * lengths[end] <= most:
                end += 1
            found.append(at[order[start:end]])
            start = end
        return order, found

    def inputs(self, at: Any) -> tuple[Any, Any]:
        lengths = self.lengths[at]
        places = torch.arange(int(lengths.max()))
        taken = (self.starts[at][:, None] + places).clamp(max=len(self.tokens) - 1)
        return torch.where(places < lengths[:, None], self.tokens[taken], PAD), lengths


@dataclass(frozen=True, slots=True)
class Candidates:
    """`right` and `wrong` are places of passages, -1 where there are fewer; `documents` and
    `answers` are numbers of documents; `of_kind` has the questions of each lesson."""

    passages: Any
    questions: Any
    right: Any
    wrong: Any
    documents: Any
    answers: Any
    of_kind: dict[str, list[NDArray[np.int64]]]

    def drawn(self, asked: Any, near: int) -> tuple[Any, Any]:
        """For each question a passage that answers it, nearer ones rather, and wrong ones."""
        right = self.right[asked]
        cosines = (self.passages[right.clamp(min=0)] * self.questions[asked][:, None]).sum(-1)
        likely = torch.softmax(cosines.float().masked_fill(right < 0, -9) / _SPREAD, 1)
        chosen = right.gather(1, torch.multinomial(likely, 1))[:, 0]
        wrong = self.wrong[asked]
        by_chance = torch.rand(wrong.shape).masked_fill(wrong < 0, -1)
        taken = wrong.gather(1, by_chance.topk(near, 1).indices).flatten()
        return chosen, taken[taken >= 0]

    def also_right(self, asked: Any, seen: Any) -> Any:
        return (self.documents[seen][None, :, None] == self.answers[asked][:, None, :]).any(-1)


def found(told: Sequence[Lesson], passages: Any, questions: Any) -> Candidates:
    right = torch.full((len(questions), _RIGHT), -1)
    wrong = torch.full((len(questions), _WRONG), -1)
    documents, answers = list[int](), list[list[int]]()
    of_kind: dict[str, list[NDArray[np.int64]]] = defaultdict(list)
    first, asked, number = 0, 0, 0
    for one in told:
        own = [number + n for n, parts in enumerate(one.documents) for _ in parts]
        documents += own
        answers += [[number + n for n in numbers] for _, numbers in one.questions]
        texts, ends = slice(first, first + len(own)), asked + len(one.questions)
        cosines = questions[asked:ends] @ passages[texts].T
        answering = _answering(own, answers[asked:ends])
        right[asked:ends], best = _nearest(cosines, answering, _RIGHT, first)
        wrong[asked:ends], _ = _nearest(cosines, ~answering, _WRONG, first)
        before = (cosines.masked_fill(answering, _NONE) > best[:, None]).sum(1)
        clear = (before < _DEEPEST.get(one.kind, _DEEP)) & (right[asked:ends, 0] >= 0)
        kept = torch.nonzero(clear & (wrong[asked:ends, 0] >= 0))[:, 0].numpy() + asked
        if len(kept) > _LEAST_QUESTIONS:
            of_kind[one.kind].append(kept)
        first, asked, number = texts.stop, ends, number + len(one.documents)
    most = max(map(len, answers))
    padded = [row + [-1] * (most - len(row)) for row in answers]
    numbers = torch.tensor(documents), torch.tensor(padded)
    return Candidates(passages, questions, right, wrong, *numbers, dict(of_kind))


def _answering(own: list[int], answers: list[list[int]]) -> Any:
    """For each question, whether each passage is of a document that answers it."""
    places = {number: list[int]() for number in own}
    for place, number in enumerate(own):
        places[number].append(place)
    answering = torch.zeros((len(answers), len(own)), dtype=torch.bool)
    for question, numbers in enumerate(answers):
        for number in numbers:
            answering[question, places.get(number, [])] = True
    return answering


def _nearest(cosines: Any, counted: Any, most: int, first: int) -> tuple[Any, Any]:
    """The places of the nearest counted passages, and the largest cosine."""
    count = min(most, cosines.shape[1])
    values, places = cosines.masked_fill(~counted, _NONE).topk(count, 1)
    kept = torch.where(values > _NONE, places + first, -1)
    return torch.nn.functional.pad(kept, (0, most - count), value=-1), values[:, 0]
