"""Every generator passes the same suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.errors import ModelUnavailable
from askwell.models.failover import FailoverGenerator
from askwell.models.openai_api import OpenAIGenerator
from askwell.testing.fake_openai import CLOSE, DONE, FakeOpenAI, Reply, event, finished, said
from askwell.testing.generator_suite import GeneratorSuite
from askwell.testing.scripted_generator import Script, ScriptedGenerator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.ports import Finish, Generator
    from askwell.testing.generator_suite import MakeGenerator

REASONS: dict[Finish, str] = {"stop": "stop", "length": "length", "filtered": "content_filter"}


def scripted(pieces: tuple[str, ...], finish: Finish | None) -> Generator:
    if finish is None:
        return ScriptedGenerator(Script(pieces=pieces, fails=ModelUnavailable("it broke off")))
    return ScriptedGenerator(Script(pieces=pieces, finish=finish))


class TestScripted(GeneratorSuite):
    @pytest.fixture
    def make(self) -> MakeGenerator:
        return scripted


class TestHttp(GeneratorSuite):
    @pytest.fixture
    def make(self) -> Iterator[MakeGenerator]:
        with FakeOpenAI() as server:

            def made(pieces: tuple[str, ...], finish: Finish | None) -> Generator:
                usage = event({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": len(pieces)}})
                end = (CLOSE,) if finish is None else (finished(REASONS[finish]), usage, DONE)
                server.reply(*[Reply(type="text/event-stream", steps=(*map(said, pieces), *end))] * 4)
                return OpenAIGenerator(url=server.url, model="fake", timeout=5)

            yield made


class TestFailover(GeneratorSuite):
    @pytest.fixture
    def make(self) -> MakeGenerator:
        def made(pieces: tuple[str, ...], finish: Finish | None) -> Generator:
            return FailoverGenerator([scripted((), None), scripted(pieces, finish)])

        return made
