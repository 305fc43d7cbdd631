"""What holds for every test: a home of its own, and no network but this machine's."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = tmp_path_factory.mktemp("home")
    places = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_DATA_HOME": home / "data",
        "XDG_STATE_HOME": home / "state",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, path in places.items():
            patch.setenv(name, str(path))
        for name in [name for name in os.environ if name.startswith("ASKWELL_") or name.lower().endswith("_proxy")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded_connect(self: socket.socket, address: Any) -> None:  # Any: as the standard library has it
        _refuse_far(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:  # Any: as above
        _refuse_far(self, address)
        return connect_ex(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        yield


def _refuse_far(own: socket.socket, address: object) -> None:
    if own.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple):
        return
    host = str(address[0])
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        pytest.fail(f"a test connects to {host}")
