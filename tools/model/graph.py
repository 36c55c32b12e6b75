"""Builds the encoder as an ONNX graph: one text in, one L2-normalised vector out.

Decides operators and int8 layout. Takes decoded weights; reads and writes no files.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.model.container import Container

Array = NDArray[Any]
# The largest absolute value of each input channel, by the name of the weight that meets it.
Peaks = Mapping[str, Array]

# Eight bits: on processors without VNNI pairs of large products may overflow 16-bit sums, which
# smoothing makes so rare that seven bits are worse there too.
WEIGHT_PEAK = 127
WORD_PEAK = 127
# How much of what is uneven among the channels of an input is moved into the weights; chosen by
# agreement with float32 (README.md). The first feed-forward product has the most uneven weights.
EXPONENT = 0.8
EXPONENTS = {"f1.w": 0.6}
# A channel that outgrows the tenth largest so many times is left to float32: it would be the scale.
# Only where a feed-forward layer narrows again: elsewhere it gains little and costs as much.
OUTGROWN = 1.3
APART = ("f2.w",)
FUSED = "com.microsoft"
onnx: Any = importlib.import_module("onnx")


def build(container: Container, peaks: Peaks | None) -> Any:
    """The ONNX model: int8 where the inputs' peaks are known, else (as the yardstick) float32."""
    return _encoder(container, peaks).model()


def build_recorder(container: Container) -> tuple[Any, dict[str, str]]:
    """The float32 model that also gives out what meets each weight, and the names of these."""
    graph = _encoder(container, None)
    model = graph.model()
    for name in dict.fromkeys(graph.inputs.values()):
        model.graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
    return model, graph.inputs


def _encoder(container: Container, peaks: Peaks | None) -> _Graph:
    graph = _Graph(container, peaks)
    hidden = graph.embeddings()
    last = container.arch["layers"] - 1
    for layer in range(last):
        hidden = graph.layer(hidden, f"l{layer}.")
    first = graph.last_layer(hidden, f"l{last}.")
    first = graph.add("Squeeze", [first, graph.constant("tokens", np.array([1]))])
    graph.add("LpNormalization", [first], output="embedding", axis=-1, p=2)
    return graph


class _Graph:
    """Nodes and weights in the order they were added; a tensor is known by its name."""

    def __init__(self, container: Container, peaks: Peaks | None) -> None:
        self._weights = dict(container.tensors)
        self._arch = container.arch
        self._peaks = peaks
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self.inputs: dict[str, str] = {}

    def constant(self, name: str, value: Array) -> str:
        self._constants.append(onnx.numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def add(
        self, kind: str, inputs: list[str], *, output: str = "", fused: bool = False, **options: Any
    ) -> str:
        name = output or f"{kind}_{len(self._nodes)}"
        domain = FUSED if fused else ""
        self._nodes.append(onnx.helper.make_node(kind, inputs, [name], domain=domain, **options))
        return name

    def embeddings(self) -> str:
        """Word + position + (constant) type; real positions start at the offset."""
        offset = self._arch["position_offset"]
        table = self._weights["pos_emb"][offset:] + self._weights["type_emb"][0]
        length = self.add("Shape", ["input_ids"], start=1)
        start, axis = self.constant("start", np.array([0])), self.constant("axis", np.array([0]))
        positions = self.add("Slice", [self.constant("positions", table), start, length, axis])
        total = self.add("Add", [self._words(), positions])
        return self.add(
            "LayerNormalization", [total, *self._pair("emb_ln")], axis=-1, epsilon=self._epsilon
        )

    def layer(self, hidden: str, prefix: str) -> str:
        """Self-attention and feed-forward, each added to its input and normalised."""
        self._smooth_values(prefix)
        packed = self._product(hidden, f"{prefix}qkv.w")
        packed = self.add("Add", [packed, self._weight(f"{prefix}qkv.b")])
        parts = self._split(packed, f"{prefix}query", f"{prefix}key", f"{prefix}value")
        return self._attend_and_feed(parts, hidden, prefix)

    def last_layer(self, hidden: str, prefix: str) -> str:
        """The same for the first token alone: nothing else of this layer is ever read."""
        self._smooth_values(prefix)
        packed, bias = f"{prefix}qkv.w", f"{prefix}qkv.b"
        size = self._arch["hidden"]
        for name, rows in (("q", slice(None, size)), ("kv", slice(size, None))):
            self._weights[f"{prefix}{name}.w"] = self._weights[packed][rows]
            self._weights[f"{prefix}{name}.b"] = self._weights[bias][rows]
        first = self._first(hidden)
        query = self._product(first, f"{prefix}q.w")
        query = self.add("Add", [query, self._weight(f"{prefix}q.b")])
        others = self._product(hidden, f"{prefix}kv.w")
        others = self.add("Add", [others, self._weight(f"{prefix}kv.b")])
        parts = [query, *self._split(others, f"{prefix}key", f"{prefix}value")]
        return self._attend_and_feed(parts, first, prefix)

    def model(self) -> Any:
        value = onnx.helper.make_tensor_value_info
        types = onnx.TensorProto
        graph = onnx.helper.make_graph(
            self._nodes,
            "granite-embedding-30m-english",
            [value("input_ids", types.INT64, ["texts", "tokens"])],
            [value("embedding", types.FLOAT, ["texts", self._arch["hidden"]])],
            self._constants,
        )
        versions = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid(FUSED, 1)]
        return onnx.helper.make_model(graph, opset_imports=versions, ir_version=8)

    @property
    def _epsilon(self) -> float:
        return float(self._arch["layer_norm_eps"])

    def _weight(self, name: str) -> str:
        return self.constant(name, self._weights[name])

    def _pair(self, name: str) -> list[str]:
        return [self._weight(f"{name}.w"), self._weight(f"{name}.b")]

    def _words(self) -> str:
        table = self._weights["word_emb"]
        if self._peaks is None:
            return self.add("Gather", [self.constant("words", table), "input_ids"])
        values, scales = quantise(table, WORD_PEAK, axis=1)
        rows = self.add("Gather", [self.constant("words", values), "input_ids"])
        scale = self.add("Gather", [self.constant("word_scales", scales), "input_ids"])
        rows = self.add("Cast", [rows], to=onnx.TensorProto.FLOAT)
        return self.add("Mul", [rows, scale])

    def _first(self, hidden: str) -> str:
        numbers = {"first": [0], "second": [1], "of_tokens": [1]}
        bounds = [self.constant(name, np.array(at)) for name, at in numbers.items()]
        return self.add("Slice", [hidden, *bounds])

    def _attend_and_feed(self, parts: list[str], hidden: str, prefix: str) -> str:
        heads = self._arch["heads"]
        attended = self.add("MultiHeadAttention", parts, fused=True, num_heads=heads)
        attended = self._product(attended, f"{prefix}ao.w", smoothed_before=True)
        hidden = self._add_and_normalise(attended, hidden, f"{prefix}ao.b", f"{prefix}aln")
        wide = self._product(hidden, f"{prefix}f1.w")
        wide = self.add("BiasGelu", [wide, self._weight(f"{prefix}f1.b")], fused=True)
        narrow = self._product(wide, f"{prefix}f2.w")
        return self._add_and_normalise(narrow, hidden, f"{prefix}f2.b", f"{prefix}fln")

    def _smooth_values(self, prefix: str) -> None:
        """What attention mixes is linear: its input can be made even where the values are made."""
        if self._peaks is None:
            return
        factors = self._factors(f"{prefix}ao.w")
        packed, bias = f"{prefix}qkv.w", f"{prefix}qkv.b"
        values = np.ones(3 * self._arch["hidden"], np.float32)
        values[-self._arch["hidden"] :] = 1 / factors
        self._weights[packed] = self._weights[packed] * values[:, None]
        self._weights[bias] = self._weights[bias] * values

    def _factors(self, name: str) -> Array:
        assert self._peaks is not None, "asked for only where peaks are known"
        exponent = EXPONENTS.get(name.partition(".")[2], EXPONENT)
        peaks = self._peaks[name]
        if name.endswith(APART):
            peaks = np.minimum(peaks, np.delete(peaks, outgrown(peaks)).max())
        return smoothing_factors(peaks, self._weights[name], exponent)

    def _product(self, hidden: str, name: str, *, smoothed_before: bool = False) -> str:
        self.inputs[name] = hidden
        weight = self._weights[name].T
        if self._peaks is None:
            return self.add("MatMul", [hidden, self.constant(name, weight)])
        factors = self._factors(name)
        apart = outgrown(self._peaks[name]) if name.endswith(APART) else []
        even = hidden
        if not smoothed_before:
            divided = (1 / factors).astype(np.float32)
            divided[apart] = 0
            even = self.add("Mul", [hidden, self.constant(f"{name}.even", divided)])
        values, scales = quantise(weight * factors[:, None], WEIGHT_PEAK, axis=0)
        parts = [self.constant(name, values), self.constant(f"{name}.scale", scales.ravel())]
        product = self.add("DynamicQuantizeMatMul", [even, *parts], fused=True)
        if not apart:
            return product
        large = self.constant(f"{name}.large", np.array(apart))
        channels = self.add("Gather", [hidden, large], axis=-1)
        rest = self.add("MatMul", [channels, self.constant(f"{name}.apart", weight[apart])])
        return self.add("Add", [product, rest])

    def _split(self, packed: str, *names: str) -> list[str]:
        self._nodes.append(onnx.helper.make_node("Split", [packed], list(names), axis=-1))
        return list(names)

    def _add_and_normalise(self, new: str, old: str, bias: str, norm: str) -> str:
        inputs = [new, old, *self._pair(norm), self._weight(bias)]
        return self.add("SkipLayerNormalization", inputs, fused=True, epsilon=self._epsilon)


def smoothing_factors(peaks: Array, weight: Array, exponent: float) -> Array:
    """One for each input channel: the input is divided by it, the weights are multiplied.

    A single scale serves a whole text, so a few channels with large values would leave the others
    few of the 256 steps. Weights have a scale for each output, and can bear to be uneven.
    """
    inputs = np.maximum(peaks, 1e-4) ** exponent
    factors = inputs / np.maximum(np.abs(weight).max(axis=0), 1e-4) ** (1 - exponent)
    return np.asarray(factors / factors.mean(), np.float32)


def outgrown(peaks: Array) -> list[int]:
    """The channels that are so much larger than all others that they are computed apart."""
    bound = OUTGROWN * np.sort(peaks)[-10]
    return [int(channel) for channel in np.flatnonzero(peaks > bound)]


def quantise(weight: Array, peak: int, axis: int) -> tuple[Array, Array]:
    """Symmetric int8 with one scale along `axis`, kept as a dimension of one."""
    scales = np.abs(weight).max(axis=axis, keepdims=True) / np.float32(peak)
    return np.rint(weight / scales).astype(np.int8), scales.astype(np.float32)
