"""Models of task folders: what predicts, explains and is kept in files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _html
from ._arguments import broken, file_path, first_broken, flag, is_broken, is_integer, one_of, shown, wrong
from ._arguments import text as checked_text
from ._errors import SymsnapError, SymsnapWarning
from ._explain import Explanation
from ._hypotheses import Member
from ._task import Task

#: An example: an atom as text, or its arguments.
Example = Union[str, Sequence[Union[str, int, float]]]
#: What a model is asked over: a task, the text of a background in Prolog, or its files.
Background = Union[Task, str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]], None]

#: The exports by name, and whether each looks at a background.
EXPORTS: dict[str, bool] = dict(_core.exports())


class Model:
    """An ensemble of hypotheses that vote.

    Models come from :func:`learn`, :func:`ensemble`, :meth:`Model.load`. They are asked over a background: that of the task
    they were learned from unless another is given.

    Examples
    --------
    >>> import symsnap
    >>> model = symsnap.learn("../examples/family", ticks=1000).model
    >>> model.predict(["grandmother(ada,ines)", "grandmother(ines,ada)"])
    array([ True, False])
    >>> print(model.explain(("ada", "ines")).proofs[0])
    grandmother(ada,ines) because
      mother(ada,gus)  [fact]
      parent(gus,ines)  [background]
    """

    _model: _core.Model
    _task: Task | None

    def __init__(self) -> None:
        raise SymsnapError("a Model is not made by hand", "use learn(...).model, ensemble(pool) or Model.load(path)")

    @classmethod
    def _of(cls, model: _core.Model, task: Task | None = None) -> Model:
        made = cls.__new__(cls)
        made._model, made._task = model, task
        return made

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Read a model file, as :meth:`save` and ``symsnap learn -o`` write it.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        Model
        """
        return cls._of(_core.Model.read(file_path("path", path, "the path of a model file")))

    @classmethod
    def from_json(cls, text: str | bytes) -> Model:
        """The model that the text of a model file describes."""
        if not isinstance(text, (str, bytes)):
            raise wrong("text", text, "the text of a model file")
        return cls._of(_core.Model.from_json("<text>", checked_text("text", text).encode() if isinstance(text, str) else text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, whole or not at all.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        self._model.write(file_path("path", path, "the path of the file to write"))

    def to_json(self) -> str:
        """The text of the model file."""
        return self._model.to_json()

    @property
    def head(self) -> tuple[str, int]:
        """What it predicts: a predicate and how many arguments it has."""
        return self._model.head

    @property
    def cost(self) -> str:
        """The cost that was minimised."""
        return self._model.cost

    @property
    def method(self) -> str:
        """How members were chosen and weighted."""
        return self._model.method

    @property
    def settings(self) -> dict[str, float]:
        """The settings of the method."""
        return self._model.settings

    @property
    def notes(self) -> list[str]:
        """What should be known about how it came to be."""
        return self._model.notes

    @cached_property
    def members(self) -> list[Member]:
        """The hypotheses that vote, in the order in which they were found."""
        return [Member._of(each) for each in self._model.members]

    @property
    def rules(self) -> list[str]:
        """The different rules of all members, those with the most weight first."""
        weights: dict[str, float] = {}
        for member in self.members:
            for rule in member.rules:
                weights[rule] = weights.get(rule, 0.0) + member.weight
        return sorted(weights, key=lambda rule: -weights[rule])

    def predict(self, examples: Iterable[Example], background: Background = None) -> NDArray[np.bool_]:
        """Label examples.

        Parameters
        ----------
        examples : iterable
            Atoms, as text (``"grandmother(ada,ines)"``) or by their arguments (``("ada", "ines")``).
        background : Task, str, path-like or sequence of them, optional
            What is known about them: a task; a text in Prolog; or files, given by their paths, each a ``Path`` or a string
            that ends in ``.pl``. That of the training task if not given.

        Returns
        -------
        numpy.ndarray of bool
            Whether each is positive.
        """
        return np.asarray(self._ask(examples, background)[0], dtype=np.bool_)

    def predict_proba(self, examples: Iterable[Example], background: Background = None) -> NDArray[np.float64]:
        """The probability that examples are positive; arguments as for :meth:`predict`."""
        return np.asarray(self._ask(examples, background)[1], dtype=np.float64)

    def explain(self, example: Example, background: Background = None) -> Explanation:
        """Say of each member why it votes as it does.

        Parameters
        ----------
        example : str or sequence
            An atom, as text or by its arguments.
        background : optional
            As for :meth:`predict`.

        Returns
        -------
        Explanation
            Proofs as objects; shown as HTML in notebooks.
        """
        asked = self._over(background)
        if isinstance(example, str):
            raw = asked.explain(_clause(checked_text("example", example)), None)
        else:
            raw = asked.explain(None, self._arguments(example, 0, "example"))
        return Explanation._of(raw, self.members)

    def export(self, to: str, background: Background = None, *, facts: bool = False) -> str:
        """The model as a program for another system.

        Parameters
        ----------
        to : str
            ``"prolog"``, ``"sql"`` or ``"json"``.
        background : optional
            As for :meth:`predict`; only SQL looks at it.
        facts : bool
            For SQL: write the facts of the background, too.

        Returns
        -------
        str
            The text of the program.
        """
        name = one_of("to", to, EXPORTS)
        if flag("facts", facts) and not EXPORTS[name]:
            raise SymsnapError(
                f"`facts` is True, but to='{name}' has no use for facts", "leave it out, or export to='sql'"
            )
        asked = self._over(background) if EXPORTS[name] else _core.Predictor.over_texts(self._model, [])
        return self._model.export(name, asked, facts)

    def report(self, path: str | os.PathLike[str] | None = None, *, name: str = "model") -> str:
        """A page about the model that needs no network.

        Parameters
        ----------
        path : str or path-like, optional
            The file to write it to.
        name : str
            What the page calls the model.

        Returns
        -------
        str
            The page.
        """
        file = None if path is None else file_path("path", path, "the path of the file to write")
        page = self._model.report(checked_text("name", name))
        if file is not None:
            Path(file).write_text(page, encoding="utf-8")
        return page

    def _ask(self, examples: Iterable[Example], background: Background) -> tuple[list[bool], list[float]]:
        if isinstance(examples, (str, bytes)) or not isinstance(examples, Iterable):
            raise wrong("examples", examples, "a list of atoms, such as ['f(a)'] or [('a',)]")
        asked, given = self._over(background), list(examples)
        texts = [each for each in given if isinstance(each, str)]
        if texts and len(texts) != len(given):
            raise SymsnapError("`examples` has texts and tuples", "give all as texts, or all by their arguments")
        if texts:
            at = first_broken(texts)
            if at is not None:
                raise broken(f"`examples[{at}]` is {shown(texts[at])}")
            labels, probabilities, strange = asked.ask_text("".join(map(_clause, texts)))
            if len(labels) != len(texts):
                raise SymsnapError(
                    f"`examples` has {len(texts)} texts with {len(labels)} atoms in them", "give one atom in each text"
                )
        else:
            rows = [self._arguments(each, at, "examples") for at, each in enumerate(given)]
            labels, probabilities, strange = asked.ask_rows(rows)
        if strange is not None:
            warnings.warn(strange, SymsnapWarning, stacklevel=3)
        return labels, probabilities

    def _arguments(self, example: object, at: int, argument: str) -> list[str | int | float]:
        name, arity = self.head
        place = f"{argument}[{at}]" if argument == "examples" else argument
        if not isinstance(example, Sequence) or isinstance(example, (str, bytes)):
            raise wrong(place, example, f"an atom as text, or a tuple with the {arity} arguments of {name}")
        if len(example) != arity:
            raise SymsnapError(
                f"`{place}` has {len(example)} arguments, but {name} has {arity}", f"give a tuple of {arity}"
            )
        row: list[str | int | float] = []
        for value in example:
            if isinstance(value, bool) or not (isinstance(value, (str, float)) or is_integer(value)):
                raise wrong(place, example, "strings and numbers as arguments; write other terms as text, 'f([a,b])'")
            if is_integer(value):
                if not -(2**63) <= int(value) < 2**63:
                    raise SymsnapError(f"`{place}` has the argument {int(value)}", "integers have at most 64 bits")
                row.append(int(value))
            else:
                assert isinstance(value, (str, float))
                if isinstance(value, str) and is_broken(value):
                    raise broken(f"`{place}` is {shown(example)}")
                row.append(value)
        return row

    def _over(self, background: Background) -> _core.Predictor:
        if background is None:
            return self._usual
        if isinstance(background, Task):
            asked = _core.Predictor.over_task(self._model, background._task)
        elif isinstance(background, str) and not background.endswith(".pl"):
            asked = _core.Predictor.over_texts(self._model, [("<background>", checked_text("background", background))])
        else:
            given = [background] if isinstance(background, (str, os.PathLike)) else background
            if not isinstance(given, Sequence) or not all(isinstance(each, (str, os.PathLike)) for each in given):
                raise wrong("background", background, "a Task, a text in Prolog, or paths of Prolog files")
            files = [file_path("background", each, "paths of Prolog files") for each in given]
            asked = _core.Predictor.over_files(self._model, files)
        return self._checked(asked)

    @cached_property
    def _usual(self) -> _core.Predictor:
        """The model over the background of its training task."""
        if self._task is not None:
            return self._checked(_core.Predictor.over_task(self._model, self._task._task))
        folder = self._model.task
        if folder is None:
            raise SymsnapError("the model does not say where its background is", "give it with `background`")
        file = os.path.join(folder, "bk.pl")
        if not os.path.isfile(file):
            raise SymsnapError(f"there is no training background {file} any more", "give one with `background`")
        asked = _core.Predictor.over_files(self._model, [file])
        if self._model.background_hash not in (None, *asked.hashes):
            warnings.warn(f"{file} has changed since the model was learned", SymsnapWarning, stacklevel=4)
        return self._checked(asked)

    def _checked(self, asked: _core.Predictor) -> _core.Predictor:
        for pred, member, rule, similar in asked.undefined():
            nearly = f"did you mean {similar}? " if similar else ""
            raise SymsnapError(
                f"member {member} calls {pred}, which the background does not define: {rule}",
                f"{nearly}give a background that defines it, or that says `:- dynamic {pred}.` if it has no facts",
            )
        return asked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[object, ...]:
        # A task from texts stays behind; whoever asks the model then gives a background.
        task = self._task if self._task is not None and self._task.path is not None else None
        return _model_again, (self.to_json(), task)

    def __repr__(self) -> str:
        name, arity = self.head
        members = f"{len(self.members)} member{'' if len(self.members) == 1 else 's'}"
        return f"<Model of {name}/{arity}: {members}, method {self.method}, cost {self.cost}>"

    def _repr_html_(self) -> str:
        order = sorted(self.members, key=lambda member: -member.weight)
        rows = [
            (_html.bar(each.weight), _html.rules(each.rules), _html.escape(each.confusion), str(each.size))
            for each in order[:10]
        ]
        table = _html.table(["weight", "rules", "training examples", "size"], rows, numbers=(3,))
        more = _html.small(f"and {len(order) - 10} members with less weight") if len(order) > 10 else ""
        empty = _html.small("It has no members and predicts all negative.") if not order else ""
        return _html.block(repr(self)[1:-1], (table if order else empty) + more + _html.notes(self.notes))


def _model_again(text: str, task: Task | None) -> Model:
    return Model._of(_core.Model.from_json("<pickle>", text.encode()), task)


def _clause(atom: str) -> str:
    return f"{atom}\n" if atom.rstrip().endswith(".") else f"{atom} .\n"
