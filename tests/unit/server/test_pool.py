from __future__ import annotations

import threading

import pytest

from askwell.errors import ModelUnavailable
from askwell.server.pool import EnginePool


class Opened:
    """Stands where an engine does: all that a pool does with one is to close it."""

    def __init__(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True


def pool_of(made: list[Opened], *, most: int = 2, patience: float = 0.01) -> EnginePool:
    def make() -> Opened:
        made.append(Opened())
        return made[-1]

    return EnginePool(make, most=most, patience=patience)  # type: ignore[arg-type]  # see `Opened`


def test_an_engine_that_came_back_is_lent_again() -> None:
    made: list[Opened] = []
    pool = pool_of(made)
    for _ in range(3):
        with pool.lend():
            pass
    assert len(made) == 1


def test_no_more_engines_are_made_than_allowed_and_waiting_ends_with_an_error() -> None:
    made: list[Opened] = []
    pool = pool_of(made)
    with pool.lend() as one, pool.lend() as other:
        assert one is not other
        with pytest.raises(ModelUnavailable, match="too many"), pool.lend():
            pass
    with pool.lend():
        assert len(made) == 2


def test_one_that_waits_gets_what_comes_back() -> None:
    pool = pool_of([], most=1, patience=30.0)
    held, got = threading.Event(), threading.Event()

    def wait() -> None:
        held.wait()
        with pool.lend():
            got.set()

    thread = threading.Thread(target=wait)
    thread.start()
    with pool.lend():
        held.set()
        assert not got.wait(0.05)
    assert got.wait(10)
    thread.join()


def test_an_engine_that_cannot_be_made_takes_no_place() -> None:
    faults = [OSError("no index"), OSError("no index"), None]
    made: list[Opened] = []

    def make() -> Opened:
        if fault := faults.pop(0):
            raise fault
        made.append(Opened())
        return made[-1]

    pool = EnginePool(make, most=1, patience=0.01)  # type: ignore[arg-type]  # see `Opened`
    for _ in range(2):
        with pytest.raises(OSError, match="no index"), pool.lend():
            pass
    with pool.lend():
        assert len(made) == 1


def test_a_closed_pool_closes_what_is_free_now_and_the_rest_as_it_comes_back() -> None:
    made: list[Opened] = []
    pool = pool_of(made)
    with pool.lend():
        with pool.lend():
            pass
        pool.close()
        assert [one.closed for one in made] == [False, True]
        with pytest.raises(ModelUnavailable, match="stopping"), pool.lend():
            pass
    assert all(one.closed for one in made)
