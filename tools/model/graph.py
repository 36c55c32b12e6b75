"""Builds the encoder as an ONNX graph: one text in, one L2-normalised vector out.

Decides operators and int8 layout. Takes decoded weights; reads and writes no files.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.model.container import Container

Array = NDArray[Any]

# Seven bits: eight overflow the 16-bit sums of processors without VNNI, which would give other
# vectors there. Measured cost in accuracy: none.
WEIGHT_PEAK = 63
WORD_PEAK = 127
FUSED = "com.microsoft"
onnx: Any = importlib.import_module("onnx")


def build(container: Container, *, quantised: bool) -> Any:
    """The ONNX model, int8 or (as the yardstick) float32."""
    graph = _Graph(container, quantised=quantised)
    hidden = graph.embeddings()
    for layer in range(container.arch["layers"]):
        hidden = graph.layer(hidden, f"l{layer}.")
    first = graph.add("Gather", [hidden, graph.constant("first", np.array(0))], axis=1)
    graph.add("LpNormalization", [first], output="embedding", axis=-1, p=2)
    return graph.model()


class _Graph:
    """Nodes and weights in the order they were added; a tensor is known by its name."""

    def __init__(self, container: Container, *, quantised: bool) -> None:
        self._weights = container.tensors
        self._arch = container.arch
        self._quantised = quantised
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

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
        bias = self._weight(f"{prefix}qkv.b")
        packed = self.add("Add", [self._product(hidden, f"{prefix}qkv.w"), bias])
        attended = self._product(self._attention(packed, prefix), f"{prefix}ao.w")
        hidden = self._add_and_normalise(attended, hidden, f"{prefix}ao.b", f"{prefix}aln")
        wide = self._product(hidden, f"{prefix}f1.w")
        wide = self.add("BiasGelu", [wide, self._weight(f"{prefix}f1.b")], fused=True)
        narrow = self._product(wide, f"{prefix}f2.w")
        return self._add_and_normalise(narrow, hidden, f"{prefix}f2.b", f"{prefix}fln")

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
        if not self._quantised:
            return self.add("Gather", [self.constant("words", table), "input_ids"])
        values, scales = quantise(table, WORD_PEAK, axis=1)
        rows = self.add("Gather", [self.constant("words", values), "input_ids"])
        scale = self.add("Gather", [self.constant("word_scales", scales), "input_ids"])
        rows = self.add("Cast", [rows], to=onnx.TensorProto.FLOAT)
        return self.add("Mul", [rows, scale])

    def _product(self, hidden: str, name: str) -> str:
        weight = self._weights[name].T
        if not self._quantised:
            return self.add("MatMul", [hidden, self.constant(name, weight)])
        values, scales = quantise(weight, WEIGHT_PEAK, axis=0)
        parts = [self.constant(name, values), self.constant(f"{name}.scale", scales.ravel())]
        return self.add("DynamicQuantizeMatMul", [hidden, *parts], fused=True)

    def _attention(self, packed: str, prefix: str) -> str:
        names = [f"{prefix}{part}" for part in ("query", "key", "value")]
        self._nodes.append(onnx.helper.make_node("Split", [packed], names, axis=-1))
        return self.add("MultiHeadAttention", names, fused=True, num_heads=self._arch["heads"])

    def _add_and_normalise(self, new: str, old: str, bias: str, norm: str) -> str:
        inputs = [new, old, *self._pair(norm), self._weight(bias)]
        return self.add("SkipLayerNormalization", inputs, fused=True, epsilon=self._epsilon)


def quantise(weight: Array, peak: int, axis: int) -> tuple[Array, Array]:
    """Symmetric int8 with one scale along `axis`, kept as a dimension of one."""
    scales = np.abs(weight).max(axis=axis, keepdims=True) / np.float32(peak)
    return np.rint(weight / scales).astype(np.int8), scales.astype(np.float32)
