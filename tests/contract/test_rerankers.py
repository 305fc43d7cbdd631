"""Every reranker passes the same suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.models.cross_encoder_folder import exported

from askwell.models.cross_encoder import FolderReranker
from askwell.models.late_interaction import ContextReranker, WordReranker
from askwell.models.local import LocalEmbedder
from askwell.models.rerank_api import HttpReranker
from askwell.testing.fake_openai import FakeOpenAI
from askwell.testing.overlap_reranker import OverlapReranker
from askwell.testing.reranker_suite import RerankerSuite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.ports import Reranker


class TestOverlap(RerankerSuite):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return OverlapReranker()


class TestWords(RerankerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        return WordReranker(LocalEmbedder())


class TestContext(RerankerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        return ContextReranker(LocalEmbedder())


class TestFolder(RerankerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls, tmp_path_factory: pytest.TempPathFactory) -> Reranker:
        return FolderReranker(exported(tmp_path_factory.mktemp("models") / "overlap"))


class TestJina(RerankerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Iterator[Reranker]:
        with FakeOpenAI() as server:
            reranker = HttpReranker(url=server.url, model="fake")
            yield reranker
            reranker.close()


class TestTei(RerankerSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Iterator[Reranker]:
        with FakeOpenAI() as server:
            reranker = HttpReranker(url=server.url.removesuffix("/v1"), dialect="tei")
            yield reranker
            reranker.close()
