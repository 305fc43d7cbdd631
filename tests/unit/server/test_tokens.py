from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.errors import BadRequest, ConfigError
from askwell.server.tokens import TokenFile

if TYPE_CHECKING:
    from pathlib import Path


def test_a_token_is_found_by_itself_and_kept_as_a_hash(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "state" / "tokens.json")
    secret = file.add("phone", open_only=True)
    again = TokenFile(tmp_path / "state" / "tokens.json")
    found = again.find(secret)
    assert found is not None
    assert (found.name, found.open_only) == ("phone", True)
    assert again.find(secret + "x") is None
    assert again.find("\ud800") is None
    assert secret not in (tmp_path / "state" / "tokens.json").read_text()


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    file = TokenFile(path)
    file.add("phone", open_only=False)
    assert path.stat().st_mode & 0o077 == 0
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="others may read") as caught:
        file.all()
    assert "chmod 600" in caught.value.hint


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "phone"])
def test_a_name_is_plain_and_given_once(tmp_path: Path, name: str) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    file.add("phone", open_only=False)
    with pytest.raises(BadRequest):
        file.add(name, open_only=False)
    assert [token.name for token in file.all()] == ["phone"]


def test_removing_an_unknown_name_tells_the_known_ones(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    file.add("phone", open_only=False)
    with pytest.raises(BadRequest) as caught:
        file.remove("fone")
    assert "phone" in caught.value.hint


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"name": "x"}]', "null"])
def test_a_file_that_is_nonsense_says_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigError) as caught:
        TokenFile(path).all()
    assert caught.value.hint


def test_no_file_is_no_token(tmp_path: Path) -> None:
    assert TokenFile(tmp_path / "none.json").all() == ()
