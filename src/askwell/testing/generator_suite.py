"""What every `Generator` promises. Subclass the suite, and give it a way to make one that plays a script.

class TestMine(GeneratorSuite):
    @pytest.fixture
    def make(self) -> MakeGenerator: ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

from askwell.errors import ModelUnavailable
from askwell.ports import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Finish, Generator

MakeGenerator: TypeAlias = "Callable[[tuple[str, ...], Finish | None], Generator]"
"""Makes a generator that sends these pieces and then stops for this reason, or breaks off if it is None."""

QUESTION = (Message("system", "be short"), Message("user", "which port?"))


class GeneratorSuite:
    """Tests that a subclass runs over its `make` fixture."""

    def test_pieces_arrive_in_order_and_end(self, make: MakeGenerator) -> None:
        generator = make(("Port ", "91", "17"), "stop")
        completion = generator.stream(QUESTION)
        assert "".join(completion) == "Port 9117"
        assert completion.finish == "stop"
        assert completion.usage.completion_tokens > 0
        assert generator.name
        assert generator.trust in ("local", "cloud")

    def test_text_arrives_before_the_end(self, make: MakeGenerator) -> None:
        pieces = iter(make(("first", " second"), None).stream(QUESTION))
        assert next(pieces) == "first"

    @pytest.mark.parametrize("finish", ["length", "filtered"])
    def test_an_answer_that_was_cut_keeps_its_text_and_says_so(self, make: MakeGenerator, finish: Finish) -> None:
        completion = make(("half an ans",), finish).stream(QUESTION)
        assert "".join(completion) == "half an ans"
        assert completion.finish == finish

    def test_breaking_off_is_never_an_end(self, make: MakeGenerator) -> None:
        got: list[str] = []
        with pytest.raises(ModelUnavailable):
            got.extend(make(("Port ", "91"), None).stream(QUESTION))
        # What arrived before is the caller's to show; whether the last pieces did is the network's.

    def test_no_text_at_all_is_a_failure(self, make: MakeGenerator) -> None:
        with pytest.raises(ModelUnavailable):
            list(make((), "stop").stream(QUESTION))

    def test_closing_ends_the_iteration(self, make: MakeGenerator) -> None:
        completion = make(("first", " second", " third"), "stop").stream(QUESTION)
        pieces = iter(completion)
        assert next(pieces) == "first"
        completion.close()
        completion.close()
        assert list(pieces) == []

    def test_closing_before_the_start_sends_nothing(self, make: MakeGenerator) -> None:
        completion = make(("first",), "stop").stream(QUESTION)
        completion.close()
        assert list(completion) == []

    def test_one_generator_serves_many_questions(self, make: MakeGenerator) -> None:
        generator = make(("yes",), "stop")
        assert ["".join(generator.stream(QUESTION)) for _ in range(3)] == ["yes"] * 3
