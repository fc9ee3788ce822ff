"""Learning tasks."""

from __future__ import annotations

import os

from . import _core, _html
from ._arguments import file_path, text, wrong
from ._errors import Diagnostic, diagnostics_of


class Task:
    """A learning task: background, examples and bias.

    Parameters
    ----------
    path : str or path-like
        A folder with the files ``bk.pl``, ``exs.pl`` and ``bias.pl``.

    Raises
    ------
    SymsnapError
        If a file is missing or wrong; its diagnostics have all findings with file, line and column.

    Examples
    --------
    >>> import symsnap
    >>> task = symsnap.Task.from_text(
    ...     bk="mother(ada, bea). mother(bea, cleo). father(bob, cleo).",
    ...     exs="pos(grandmother(ada, cleo)). neg(grandmother(bea, ada)).",
    ...     bias="head_pred(grandmother,2). body_pred(mother,2). body_pred(father,2).",
    ... )
    >>> task
    <Task grandmother/2: 1 positive and 1 negative example, 2 body predicates>
    """

    _task: _core.Task

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._task = _core.Task.from_dir(file_path("path", path, "the folder of a task, or texts to Task.from_text"))

    @classmethod
    def from_text(cls, *, bk: str, exs: str, bias: str) -> Task:
        """Make a task of texts in the place of its three files.

        Parameters
        ----------
        bk : str
            The background: facts and rules in Prolog.
        exs : str
            The examples: ``pos(f(a)).`` and ``neg(f(b)).``.
        bias : str
            What rules may be made of: ``head_pred(f,1). body_pred(p,2).``.

        Returns
        -------
        Task
        """
        return cls._of(_core.Task.from_texts(text("bk", bk), text("exs", exs), text("bias", bias)))

    @classmethod
    def _of(cls, task: _core.Task) -> Task:
        made = cls.__new__(cls)
        made._task = task
        return made

    @property
    def path(self) -> str | None:
        """The folder, as it was named; None if the task came from texts."""
        return self._task.folder

    @property
    def head(self) -> tuple[str, int]:
        """The predicate to learn: its name and how many arguments it has."""
        return self._task.head

    @property
    def body(self) -> list[tuple[str, int]]:
        """The predicates that rules may use, with their numbers of arguments."""
        return self._task.body

    @property
    def positives(self) -> int:
        """How many positive examples there are."""
        return self._task.positives

    @property
    def negatives(self) -> int:
        """How many negative examples there are."""
        return self._task.negatives

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What should be known about the task although it can be used."""
        return diagnostics_of(self._task.warnings)

    def __reduce__(self) -> tuple[object, ...]:
        if self.path is None:
            raise TypeError("a task that came from texts cannot be pickled; keep the texts, or write them to a folder")
        return Task, (self.path,)

    def __repr__(self) -> str:
        name, arity = self.head
        examples = "example" if self.negatives == 1 else "examples"
        bodies = "body predicate" if len(self.body) == 1 else "body predicates"
        return (
            f"<Task {name}/{arity}: {self.positives} positive and {self.negatives} negative {examples}, "
            f"{len(self.body)} {bodies}>"
        )

    def _repr_html_(self) -> str:
        name, arity = self.head
        rows = [
            ("learn", f"{name}/{arity}"),
            ("examples", f"{self.positives} positive, {self.negatives} negative"),
            ("from", ", ".join(f"{name}/{arity}" for name, arity in self.body)),
        ]
        if self.path is not None:
            rows.append(("folder", self.path))
        return _html.block("Task", _html.pairs(rows) + _html.notes([str(each) for each in self.warnings]))


def as_task(task: object) -> Task:
    """A task, or the one in a folder."""
    if isinstance(task, Task):
        return task
    if isinstance(task, (str, os.PathLike)):
        return Task(file_path("task", task, "the path of a folder"))
    raise wrong("task", task, "a Task, or the path of its folder")
