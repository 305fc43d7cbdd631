"""A client that comes back with the session of a server that was restarted is told to open a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from tests.adapters.mcp_server import (
    HEADERS,
    INITIALIZE,
    answered,
    call,
    in_session,
    indexed,
    message,
    opened,
    served,
)

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("mcp")


def test_a_session_from_before_a_restart_is_not_found(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    with served(notes) as (url, _), httpx.Client() as client:
        old = opened(client, url)
        assert (
            len(answered(client.post(url, json=message("tools/list"), headers=in_session(old)))["result"]["tools"]) == 6
        )
        port = int(url.rsplit(":", 1)[1].partition("/")[0])
    with served(notes, port=port) as (url, _), httpx.Client() as client:
        status = call("status", {})
        assert client.post(url, json=status, headers=in_session(old)).status_code == 404
        assert client.post(url, json=INITIALIZE, headers=in_session(old)).status_code in (200, 404)
        new = opened(client, url)
        assert new != old
        assert not answered(client.post(url, json=status, headers=in_session(new)))["result"].get("isError")
        assert client.post(url, json=status, headers=HEADERS).status_code == 400
        assert client.get(url, headers={"Accept": "application/json"}).status_code == 406
        assert client.delete(url, headers=in_session(new)).status_code in (200, 204)
        assert client.delete(url, headers=in_session(new)).status_code == 404
        assert client.post(url, json=status, headers=in_session(new)).status_code == 404


def test_without_sessions_a_restart_is_not_seen(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    with served(notes) as (url, _), httpx.Client() as client:
        old = opened(client, url)
    with served(notes, stateless=True) as (url, _), httpx.Client() as client:
        for headers in (HEADERS, in_session(old)):
            reply = client.post(url, json=call("search", {"question": "garden pump"}), headers=headers)
            assert reply.headers["content-type"] == "application/json"
            assert "mcp-session-id" not in reply.headers
            assert answered(reply)["result"]["structuredContent"]["hits"][0]["path"] == "pumps.md"
        assert client.get(url, headers=HEADERS).status_code == 405
        assert client.delete(url, headers=HEADERS).status_code == 405
