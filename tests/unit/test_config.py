from __future__ import annotations

from pathlib import Path

import pytest

from askwell.compose import index_path
from askwell.compose.sources import source_names
from askwell.config import find_file, load
from askwell.errors import ConfigError
from askwell.settings import Config, SourceConfig
from askwell.types import CodeMode, SourceType


def written(folder: Path, text: str) -> Path:
    path = folder / "askwell.toml"
    path.write_text(text)
    return path


def test_a_flag_goes_before_the_environment_before_the_file_before_the_default(tmp_path: Path) -> None:
    file = written(tmp_path, "[retrieval]\nk = 4\nper_document = 3\nexpansion = true\n[[source]]\npath = '.'\n")
    environ = {"ASKWELL_RETRIEVAL__K": "5", "ASKWELL_RETRIEVAL__PER_DOCUMENT": "7"}
    config = load(file=file, environ=environ, flags={"retrieval.k": 6})
    assert (config.retrieval.k, config.retrieval.per_document, config.retrieval.expansion) == (6, 7, True)
    assert config.origins["retrieval.k"] == "command line"
    assert config.origins["retrieval.per_document"] == "ASKWELL_RETRIEVAL__PER_DOCUMENT"
    assert config.origins["retrieval.expansion"] == str(file)


def test_a_source_is_relative_to_the_file_that_names_it(tmp_path: Path) -> None:
    file = written(tmp_path, '[[source]]\npath = "notes"\ntype = "vault"\ncode = "full"\n')
    (source,) = load(file=file, environ={}).sources
    assert source.path == str(tmp_path / "notes")
    assert (source.type, source.code) == (SourceType.VAULT, CodeMode.FULL)


@pytest.mark.parametrize(
    ("text", "told", "hint"),
    [
        ("[retreival]\nk = 1", "retreival", "retrieval"),
        ("[retrieval]\nper_documents = 1", "retrieval.per_documents", "retrieval.per_document"),
        ("[retrieval]\nk = 'many'", "retrieval.k", "whole number"),
        ("[retrieval]\nk = 0", "retrieval.k", "from 1"),
        ("[retrieval]\nk = true", "retrieval.k", "whole number"),
        ("[models]\ntimeout = nan", "models.timeout", "from 0.1"),
        ("[[source]]\npath = 'x'\ntype = 'gti'", "source.type", "git"),
        ("[[source]]\nname = 'x'", "no `path`", "path"),
        ("[source]\npath = 'x'", "list of tables", "[[source]]"),
        ("[persona]\ntone = 'grumpy'", "persona.tone", "neutral"),
        ("[privacy]\npersonal = [1]", "privacy.personal", "list of texts"),
        ("retrieval = 3", "retrieval", "[retrieval]"),
        ("x = [", "not valid TOML", "line"),
        ("[[source]]\npath='a'\nname='n'\n[[source]]\npath='b'\nname='n'", "two sources", "name"),
    ],
)
def test_a_wrong_setting_is_named_with_the_next_step(tmp_path: Path, text: str, told: str, hint: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(file=written(tmp_path, text), environ={})
    assert told in str(raised.value)
    assert hint in raised.value.hint


def test_a_file_that_was_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no config file"):
        find_file(explicit=str(tmp_path / "none.toml"), environ={})


def test_without_any_config_the_folder_is_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = load(file=None, environ={})
    assert [source.path for source in config.sources] == [str(tmp_path)]
    assert config.ad_hoc


def test_a_named_source_selects_from_the_configured_ones(tmp_path: Path) -> None:
    file = written(tmp_path, '[[source]]\npath = "a"\nname = "first"\n[[source]]\npath = "b"\n')
    config = load(file=file, environ={}, sources=["first"])
    assert [source.name for source in config.sources] == ["first"]
    assert not config.ad_hoc
    by_path = load(file=file, environ={}, sources=[str(tmp_path / "b")])
    assert [Path(source.path).name for source in by_path.sources] == ["b"]


def test_sources_of_one_name_are_told_apart_by_their_path() -> None:
    sources = (SourceConfig(path="/x/one/notes"), SourceConfig(path="/x/two/notes"), SourceConfig(path="/x/other"))
    assert source_names(sources) == ("one/notes", "two/notes", "other")


def test_a_folder_keeps_the_name_that_the_index_knows_it_by() -> None:
    known = {"/x/one/notes": "notes", "/x/two/pages": "two/pages"}
    assert source_names((SourceConfig(path="/x/one/notes"),), known=known) == ("notes",)
    assert source_names((SourceConfig(path="/x/two/pages"),), known=known) == ("two/pages",)
    assert source_names((SourceConfig(path="/y/notes"),), known=known) == ("y/notes",)


def test_the_same_folder_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="same folder"):
        source_names((SourceConfig(path="/x/notes"), SourceConfig(path="/x/notes/")))


def test_the_index_of_other_sources_is_another_file_outside_of_them() -> None:
    one = Config(sources=(SourceConfig(path="/x/notes"),))
    two = Config(sources=(SourceConfig(path="/y/notes"),))
    environ = {"XDG_CACHE_HOME": "/cache"}
    assert index_path(one, environ=environ) != index_path(two, environ=environ)
    assert index_path(one, environ=environ).parent == Path("/cache/askwell")


def test_a_list_in_the_environment_may_be_written_as_in_the_file() -> None:
    for text in ("journal/, people/**", '["journal/", "people/**"]'):
        config = load(file=None, environ={"ASKWELL_PRIVACY__PERSONAL": text})
        assert config.privacy.personal == ("journal/", "people/**")
    with pytest.raises(ConfigError, match=r"privacy\.personal"):
        load(file=None, environ={"ASKWELL_PRIVACY__PERSONAL": '["journal/"'})
