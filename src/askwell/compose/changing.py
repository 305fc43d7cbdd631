"""Changes settings while they are in use: checked against what runs, refused where they would do nothing, kept whole.

What is saved is used from the next start on; until then `pending` names what the running process does not use yet.
"""

from __future__ import annotations

import json
import os
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from askwell.compose.models import make_generator
from askwell.config import checked
from askwell.errors import BadRequest, ConfigError, StoreError
from askwell.overrides import ORIGIN, OVERRIDABLE, WITH_A_MODEL, place, refusal, scope, tables, value_of
from askwell.records.files import locked, write_whole
from askwell.settings import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from askwell.settings import Config


def save(running: Config, changes: Mapping[str, object], *, environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Keep changed settings, all or none; return those that wait for a restart of what runs with `running`.

    Args:
        running: The settings in use.
        changes: `section.key` → the new value; None takes an override back.
        environ: The process environment.

    Raises:
        BadRequest: a setting that is not to be changed here, a value that is none for it, or a change that would do
            nothing; every such change is named.
        StoreError: the file cannot be written; the old one stays.
    """
    path = place(running, environ=environ)
    try:
        with locked(path):
            for left in path.parent.glob(f".{path.name}.*.tmp"):  # by a process that was killed while it saved
                left.unlink(missing_ok=True)
            every = _tables(path)
            table = scope(running.file)
            saved = dict(every[table]) if isinstance(every.get(table), dict) else {}
            accepted = _accepted(running, saved, changes, environ)
            for setting, value in accepted.items():
                if value is None:
                    del saved[setting]
                else:
                    saved[setting] = value
            every[table] = saved
            write_whole(path, (json.dumps(every, indent=2, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise StoreError(
            f"{str(path)!r} cannot be written: {(error.strerror or type(error).__name__).lower()}",
            hint="check the disk and the folder's permissions, or name another with `records.path`",
        ) from error
    return pending(running, environ=environ)


def pending(running: Config, *, environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the settings whose saved values the process that runs with `running` does not use yet."""
    saved = _saved(running, environ)
    return tuple(
        setting
        for setting in OVERRIDABLE
        if not shadowed(running, setting) and _next(running, saved, setting) != value_of(running, setting)
    )


def overridden(running: Config, *, environ: Mapping[str, str] = os.environ) -> dict[str, object]:
    """Return the usable overrides that are saved now, by `section.key`."""
    return _saved(running, environ)


def shadowed(running: Config, setting: str) -> str:
    """Return what goes before an override of a setting (a variable's name, `command line`); empty if nothing does."""
    origin = running.origins.get(setting, "")
    return "" if origin in ("", ORIGIN, str(running.file)) else origin


def _accepted(
    running: Config, saved: Mapping[str, Any], changes: Mapping[str, object], environ: Mapping[str, str]
) -> dict[str, object]:
    """Return the changes with their values as settings have them.

    Raises:
        BadRequest: one of them cannot be made.
    """
    accepted: dict[str, object] = {}
    refused: list[BadRequest] = []
    usable = _usable(saved)
    for setting, value in changes.items():
        try:
            accepted[setting] = _change(running, usable, setting, value, kept=setting in saved)
        except BadRequest as error:
            refused.append(error)
    if not refused:
        after = {s: _next(running, usable, s) for s in OVERRIDABLE}
        after |= {s: _next(running, {}, s) if v is None else v for s, v in accepted.items() if s in after}
        try:
            _fitting(running, after, accepted, environ)
        except BadRequest as error:
            refused.append(error)
    if not changes:
        refused.append(BadRequest("no setting is named", hint=f"name one of {_listed()}"))
    if refused:
        raise BadRequest("; ".join(map(str, refused)), hint="; ".join(dict.fromkeys(e.hint for e in refused if e.hint)))
    return accepted


def _change(running: Config, saved: Mapping[str, object], setting: str, value: object, *, kept: bool) -> object:
    known = setting in {f"{section}.{item.name}" for section in SECTIONS for item in fields(SECTIONS[section])}
    if value is None:
        if not kept:
            raise BadRequest(f"`{setting}` is not overridden", hint="there is nothing to take back")
        return None
    if known and setting not in OVERRIDABLE:
        raise BadRequest(f"`{setting}` cannot be changed here", hint="set it in the settings file or the environment")
    try:
        new = checked(setting, value)
    except ConfigError as error:
        raise BadRequest(str(error), hint=error.hint) from error
    if why := refusal(setting, new):
        raise BadRequest(f"`{setting}`: {why}", hint="keep secrets in the environment")
    if before := shadowed(running, setting):
        raise BadRequest(
            f"`{setting}` is set by {before}, which goes before: a saved value would do nothing",
            hint="take it away there first",
        )
    if new == _next(running, saved, setting):
        raise BadRequest(f"`{setting}` is {new!r} already", hint="there is nothing to save")
    return new


def _fitting(
    running: Config, after: Mapping[str, object], accepted: Mapping[str, object], environ: Mapping[str, str]
) -> None:
    """Return if the settings work together after the change.

    Raises:
        BadRequest: a model that could not be made, or a change that does nothing without one.
    """
    changed = running
    for setting, value in after.items():
        section, _, key = setting.partition(".")
        # Any: the section is only known by name here, and `checked` made sure of key and type
        part: dict[str, Any] = {section: replace(getattr(changed, section), **{key: value})}
        changed = changed if shadowed(running, setting) else replace(changed, **part)
    try:
        model = make_generator(changed.models, environ)
    except ConfigError as error:
        raise BadRequest(str(error), hint=error.hint) from error
    idle = [s for s in accepted if s in WITH_A_MODEL and accepted[s] is not None]
    if model is None and idle:
        raise BadRequest(
            f"`{idle[0]}` does nothing while `models.generation` is `none`", hint="name a model at the same time"
        )


def _next(running: Config, saved: Mapping[str, object], setting: str) -> object:
    """Return what a setting will be at the next start, as far as overrides decide it."""
    return saved[setting] if setting in saved else running.beneath.get(setting, value_of(running, setting))


def _saved(running: Config, environ: Mapping[str, str]) -> dict[str, object]:
    try:
        table = tables(place(running, environ=environ)).get(scope(running.file), {})
    except ValueError:
        return {}
    return _usable(table if isinstance(table, dict) else {})


def _usable(table: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for setting, value in table.items():
        if refusal(setting, value):
            continue
        try:
            found[setting] = checked(setting, value)
        except ConfigError:
            continue
    return found


def _tables(path: Path) -> dict[str, Any]:  # Any: JSON
    try:
        return tables(path)
    except ValueError as error:
        raise StoreError(f"{str(path)!r}: {error}", hint="mend or delete it; it is not written over") from error


def _listed() -> str:
    return ", ".join(f"`{setting}`" for setting in OVERRIDABLE)
