from __future__ import annotations

import pytest

from askwell.models.trust import trust_of


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434/v1",
        "http://LOCALHOST./v1",
        "http://127.0.0.1:1/v1",
        "http://127.9.9.9",
        "http://[::1]:8080",
        "http://[::ffff:192.168.1.2]:80",
        "http://192.168.1.5",
        "http://10.0.0.2",
        "http://172.31.255.1",
        "http://100.64.3.4:11434",
        "http://169.254.1.1",
        "http://[fd00::1]",
        "http://[fe80::1%25eth0]/",
        "http://nas.local:11434",
        "http://gpu.home.arpa",
        "unix:///run/model.sock",
    ],
)
def test_this_machine_and_private_networks_are_local(url: str) -> None:
    assert trust_of(url, declared=None) == "local"


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "http://nas/v1",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://127.0.0.1@api.example.com/",
        "http://172.32.0.1",
        "http://8.8.8.8",
        "http://192.0.2.1",
        "http://198.18.0.1",
        "http://0.0.0.0",
        "http://[2001:db8::1]",
        "http://evillocal",
        "http://2130706433",
        "http://127.1",
        "",
        "not a url",
        "http://[::1",
    ],
)
def test_everything_else_is_cloud(url: str) -> None:
    assert trust_of(url, declared=None) == "cloud"


def test_what_the_user_declares_stands() -> None:
    assert trust_of("https://models.example.com", declared="local") == "local"
    assert trust_of("http://127.0.0.1", declared="cloud") == "cloud"
