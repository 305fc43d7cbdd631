"""Whatever is sent to the server, it is answered, soon, and never with a fault of ours."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from tests.adapters.server import indexed, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.server.services import Services


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Services]]:
    with served(indexed(tmp_path_factory.mktemp("fuzz"))) as found:
        yield found


BOUNDED = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def test_no_request_that_the_document_allows_or_forbids_is_a_fault(server: tuple[str, Services]) -> None:
    schema = schemathesis.openapi.from_url(f"{server[0]}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 12
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @BOUNDED
            @given(case=operation.as_strategy(generation_mode=mode))
            def answered(case: Any) -> None:  # Any: schemathesis's own
                reply = case.call(base_url=server[0], timeout=20)
                assert reply.status_code < 500 or reply.status_code == 503, (case, reply.text)

            with contextlib.suppress(Unsatisfiable):  # nothing about it can be wrong
                answered()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
content = (
    st.text(max_size=40) | json_values | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": json_values}))
)
message = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "developer", "x"]), "content": content}
)
chat = st.fixed_dictionaries(
    {"messages": st.lists(message | json_values, max_size=5)},
    optional=dict.fromkeys(
        ("model", "stream", "stream_options", "n", "tools", "metadata", "askwell", "max_tokens", "stop"), json_values
    ),
)


@BOUNDED
@given(body=chat | json_values)
def test_no_chat_is_a_fault(server: tuple[str, Services], body: object) -> None:
    reply = httpx.post(f"{server[0]}/v1/chat/completions", json=body, timeout=20)
    assert reply.status_code < 500, (body, reply.text)
    assert reply.status_code == 200 or "error" in reply.json()


@BOUNDED
@given(
    raw=st.binary(max_size=300),
    path=st.sampled_from(["/v1/chat/completions", "/api/ask", "/api/search", "/login", "/mcp"]),
)
def test_no_bytes_are_a_fault(server: tuple[str, Services], raw: bytes, path: str) -> None:
    kind = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    assert httpx.post(server[0] + path, content=raw, headers=kind, timeout=20).status_code < 500
