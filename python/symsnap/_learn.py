"""Learning from a task: as a call, and as an iterator of snapshots."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, overload

from . import _core, _html
from ._arguments import flag, maybe_seconds, maybe_whole, method_settings, one_of, whole, wrong
from ._errors import Diagnostic, SymsnapError, diagnostics_of, warn_of
from ._hypotheses import Confusion, Snapshot
from ._model import Model
from ._pool import COSTS, DEFAULT_METHOD, METHODS, SnapshotPool
from ._progress import Meter
from ._task import Task, as_task

#: Called with each snapshot; ends the run by returning False.
Callback = Callable[[Snapshot], object]


@dataclass(frozen=True)
class _Wishes:
    """The arguments of :func:`learn`, checked; the extension module reads them by name."""

    cost: str
    method: str | None
    settings: list[tuple[str, float]]
    timeout: float | None
    ticks: int | None
    max_memory: int | None
    threads: int | None
    seed: int
    optima: int
    strict: bool
    until_limit: bool
    functional: bool
    max_vars: int | None
    max_body: int | None
    max_clauses: int | None


class Learned:
    """What a run found.

    Attributes
    ----------
    task : Task
        The task, with the limits that it was searched with.
    pool : SnapshotPool
        All snapshots.
    model : Model or None
        The ensemble, if one was asked for.
    interrupted : bool
        Whether Ctrl-C ended the run.
    cost : str
        What was minimised.
    choice : str or None
        Why, if that was left to the data.
    value : tuple of int
        The cost of the best hypothesis.
    lower_bound : tuple of int
        No hypothesis of the space costs less.
    optimal : bool
        Whether it is proved that nothing costs less.
    confusion : Confusion
        What the best hypothesis does with the training examples.
    ties : str
        What is known about hypotheses that cost as little as the best one.
    stop : str
        Why the run ended, in a word; ``stop_words`` has more.
    ticks : int
        Rules tested.
    elapsed : float
        Seconds.
    why : list of str
        Why nothing was found; empty if something was.
    limits : list of str
        What was not evaluated to its end; nothing is proved if there is any.
    notes : list of str
        What users of the best hypothesis should know.
    """

    cost: str
    choice: str | None
    optimal: bool
    ties: str
    stop: str
    stop_words: str
    ticks: int
    elapsed: float
    why: list[str]
    limits: list[str]
    notes: list[str]

    def __init__(self, learned: _core.Learned, interrupted: bool) -> None:
        said: dict[str, Any] = learned.outcome()
        self.value: tuple[int, ...] = tuple(said.pop("value"))
        self.lower_bound: tuple[int, ...] = tuple(said.pop("lower_bound"))
        self.confusion = Confusion(*said.pop("confusion"))
        self.__dict__.update(said)
        self.interrupted = interrupted
        self.task = Task._of(learned.task)
        self.pool = SnapshotPool(learned)
        self.model = None if learned.model is None else Model._of(learned.model, self.task)
        self.warnings: tuple[Diagnostic, ...] = diagnostics_of(learned.warnings)

    @property
    def best(self) -> Snapshot | None:
        """The best hypothesis, if one is better than the empty one."""
        return self.pool.best

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the best hypothesis; none if there is none."""
        return () if self.best is None else self.best.rules

    def __str__(self) -> str:
        if self.best is None:
            reasons = "".join(f"\n  - {reason}" for reason in self.why)
            return f"No hypothesis is better than the empty one, which covers nothing.{reasons}"
        return f"{self.best}\n{self._proof()}; stopped: {self.stop_words}"

    def _proof(self) -> str:
        if self.optimal:
            return "proved optimal"
        return f"not proved optimal (lower bound {', '.join(map(str, self.lower_bound))})"

    def __repr__(self) -> str:
        best = "nothing" if self.best is None else f"{self.cost} {self.value}"
        return f"<Learned {best}, {self._proof()}, {len(self.pool)} snapshots, stopped: {self.stop_words}>"

    def _repr_html_(self) -> str:
        if self.best is None:
            body = "<div>No hypothesis is better than the empty one, which covers nothing.</div>" + _html.notes(
                self.why
            )
        else:
            body = _html.rules(self.rules)
        figures = [
            ("cost", f"{self.cost} ({', '.join(map(str, self.value))})"),
            ("training examples", str(self.confusion)),
            ("proof", self._proof()),
            (
                "run",
                f"{self.ticks} rules tested in {self.elapsed:.2f} s; {len(self.pool)} snapshots; {self.stop_words}",
            ),
        ]
        interrupted = ["interrupted: this is the best so far"] if self.interrupted else []
        return _html.block(
            "Learned", body + _html.pairs(figures) + _html.notes([*interrupted, *self.limits, *self.notes])
        )


class Run(Iterator[Snapshot]):
    """A run that goes on while its snapshots are looked at: what ``learn(..., live=True)`` returns.

    Iterate over it for snapshots as they come, then take :meth:`result`. Leaving the loop early does not end the run;
    :meth:`stop` does.
    """

    def __init__(self, task: Task, wishes: _Wishes, progress: bool | None) -> None:
        self._run = _core.Run(task._task, wishes)
        self._meter = Meter(progress, wishes.timeout, wishes.ticks)
        self._interrupted = self._stopped = False
        self._result: Learned | None = None

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Snapshot:
        while True:
            try:
                found, ended = self._run.poll()
                self._meter.show(self._run)
            except KeyboardInterrupt:
                self._interrupt()
                raise StopIteration from None
            except BaseException:
                self.stop()
                raise
            if found is not None:
                return Snapshot._of(found)
            if ended:
                self._meter.close()
                raise StopIteration

    def stop(self) -> None:
        """End the run; its result is the best so far."""
        self._stopped = True
        self._meter.close()
        self._run.cancel()

    def result(self) -> Learned:
        """Wait for the end of the run.

        Returns
        -------
        Learned

        Raises
        ------
        KeyboardInterrupt
            If Ctrl-C came before anything was found.
        """
        if self._result is None:
            # A run that was told to end is not listened to until it does: that may take longer than it is waited for.
            while not self._stopped and next(self, None) is not None:
                pass
            self._result = self._wait()
        return self._result

    def _wait(self) -> Learned:
        try:
            learned = self._run.wait()
        except KeyboardInterrupt:
            if self._interrupted:
                raise
            self._interrupt()
            return self._wait()
        if self._interrupted and (learned is None or learned.best() is None):
            raise KeyboardInterrupt
        if learned is None:
            raise SymsnapError("`timeout` came while the task was read", "give it more time")
        return Learned(learned, self._interrupted)

    def _interrupt(self) -> None:
        self._interrupted = True
        self.stop()


@overload
def learn(
    task: Task | str | os.PathLike[str],
    *,
    cost: str = ...,
    method: str | None = ...,
    timeout: float | None = ...,
    ticks: int | None = ...,
    threads: int | None = ...,
    seed: int = ...,
    settings: Mapping[str, float] | None = ...,
    strict: bool = ...,
    optima: int = ...,
    until_timeout: bool = ...,
    functional: bool = ...,
    max_vars: int | None = ...,
    max_body: int | None = ...,
    max_clauses: int | None = ...,
    max_memory: int | None = ...,
    callback: Callback | None = ...,
    progress: bool | None = ...,
    live: Literal[False] = ...,
) -> Learned: ...
@overload
def learn(
    task: Task | str | os.PathLike[str],
    *,
    cost: str = ...,
    method: str | None = ...,
    timeout: float | None = ...,
    ticks: int | None = ...,
    threads: int | None = ...,
    seed: int = ...,
    settings: Mapping[str, float] | None = ...,
    strict: bool = ...,
    optima: int = ...,
    until_timeout: bool = ...,
    functional: bool = ...,
    max_vars: int | None = ...,
    max_body: int | None = ...,
    max_clauses: int | None = ...,
    max_memory: int | None = ...,
    progress: bool | None = ...,
    live: Literal[True],
) -> Run: ...
def learn(
    task: Task | str | os.PathLike[str],
    *,
    cost: str = "auto",
    method: str | None = DEFAULT_METHOD,
    timeout: float | None = 600.0,
    ticks: int | None = None,
    threads: int | None = None,
    seed: int = 1,
    settings: Mapping[str, float] | None = None,
    strict: bool = False,
    optima: int = 1000,
    until_timeout: bool = False,
    functional: bool = False,
    max_vars: int | None = None,
    max_body: int | None = None,
    max_clauses: int | None = None,
    max_memory: int | None = None,
    callback: Callback | None = None,
    progress: bool | None = None,
    live: bool = False,
) -> Learned | Run:
    """Learn rules from a task, and make an ensemble of the snapshots.

    Ctrl-C ends the run with the best so far (``interrupted`` is set then), or raises ``KeyboardInterrupt`` if nothing was found.

    Parameters
    ----------
    task : Task, str or path-like
        The task, or its folder.
    cost : str
        What to minimise; ``symsnap.COSTS`` lists all. ``"auto"`` leaves it to the data.
    method : str or None
        How the ensemble is made; ``symsnap.METHODS`` lists all. None for none.
    timeout : float or None
        Stop after so many seconds.
    ticks : int, optional
        Stop after so many rules were tested; the result is then the same on any machine and number of threads.
    threads : int, optional
        How many threads to use; all cores if not given.
    seed : int
        Seed for all random choices.
    settings : dict, optional
        Settings of the method, such as ``{"bags": 5}``.
    strict : bool
        Keep only snapshots that are better than all before.
    optima : int
        List at most so many hypotheses that cost as little as the best one.
    until_timeout : bool
        After a proof go on looking for such hypotheses, until all are known or a limit ends the run.
    functional : bool
        Leave out hypotheses that give, for the inputs of a positive example, another output than a positive has.
    max_vars, max_body, max_clauses : int, optional
        Limits on variables and body literals of a rule, and on the rules of a recursive hypothesis, instead of what the bias says.
    max_memory : int, optional
        Stop before the process holds more than so many megabytes; three quarters of the machine's memory if not given.
    callback : callable, optional
        Called with each :class:`Snapshot` as it is found. Ends the run by returning False.
    progress : bool, optional
        Whether to show how the run stands; if not given, in terminals and notebooks.
    live : bool
        Return at once, with a :class:`Run` to iterate over.

    Returns
    -------
    Learned, or Run if live

    Examples
    --------
    >>> import symsnap
    >>> learned = symsnap.learn("../examples/family", ticks=1000)
    >>> learned.rules
    ('grandmother(V0,V1) :- mother(V0,V2), parent(V2,V1).',)
    >>> learned.optimal
    True

    Snapshots as they come:

    >>> run = symsnap.learn("../examples/family", ticks=1000, live=True)
    >>> any(snapshot.confusion.accuracy == 1 for snapshot in run)
    True
    >>> run.result().model
    <Model of grandmother/2: 1 member, method resampled, cost errorsize>
    """
    wishes = _Wishes(
        cost=one_of("cost", cost, COSTS),
        method=None if method is None else one_of("method", method, METHODS),
        settings=method_settings("settings", settings),
        timeout=maybe_seconds("timeout", timeout),
        ticks=maybe_whole("ticks", ticks, 0, 2**63 - 1),
        max_memory=maybe_whole("max_memory", max_memory, 1, 2**40),
        threads=maybe_whole("threads", threads, 1, 1024),
        seed=whole("seed", seed, 0, 2**64 - 1),
        optima=whole("optima", optima, 1, 2**32 - 1),
        strict=flag("strict", strict),
        until_limit=flag("until_timeout", until_timeout),
        functional=flag("functional", functional),
        max_vars=maybe_whole("max_vars", max_vars, 1, 60),
        max_body=maybe_whole("max_body", max_body, 1, 250),
        max_clauses=maybe_whole("max_clauses", max_clauses, 1, 65535),
    )
    if strict and (until_timeout or optima != 1000):
        raise SymsnapError("`strict` looks for no other optima", "leave out `optima` and `until_timeout`")
    if callback is not None and not callable(callback):
        raise wrong("callback", callback, "a function that takes a Snapshot")
    if progress is not None:
        flag("progress", progress)
    if flag("live", live) and callback is not None:
        raise SymsnapError("`callback` cannot go with live=True", "iterate over what is returned instead")
    given = as_task(task)
    if wishes.max_vars is not None and wishes.max_vars < given.head[1]:
        name, arity = given.head
        raise SymsnapError(f"`max_vars` is {wishes.max_vars}, but {name} alone has {arity}", f"give at least {arity}")
    warn_of(given.warnings, 2)
    run = Run(given, wishes, progress)
    if live:
        return run
    try:
        for snapshot in run:
            if callback is not None and callback(snapshot) is False:
                run.stop()
                break
    except KeyboardInterrupt:
        # Ctrl-C may come while the callback runs, too.
        run._interrupt()
    except BaseException:
        run.stop()
        raise
    return run.result()
