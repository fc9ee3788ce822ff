"""The estimator: rules from tables, with the interface of scikit-learn."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _core, _html
from ._arguments import is_integer, maybe_seconds, maybe_whole, method_settings, one_of, shown, whole, wrong
from ._database import Database
from ._errors import SymsnapError, SymsnapWarning, diagnostics_of, warn_of
from ._explain import Explanation
from ._frames import array_table, column_of, columns_table, is_frame, is_missing, is_pandas, table_of
from ._hypotheses import Member
from ._learn import _Wishes
from ._pool import COSTS, DEFAULT_METHOD, METHODS

#: Whole weights are repetitions as long as there are no more than this many rows for each that was given.
_MOST_REPEATED = 20
#: What the table with the labels is called in schemas and messages.
_TABLE = "X"


@dataclass(frozen=True)
class ClassRule:
    """A rule of a fitted classifier.

    Attributes
    ----------
    text : str
        The rule, in Prolog.
    label : object
        The class that it speaks for.
    weight : float
        The share of the votes for or against this class that hypotheses with the rule have.
    words : str
        What it says, in words.
    sql : str or None
        A query for the rows that it covers, if it can be said in SQL.
    support : int or None
        How many training examples it covers, by their weights, if the model knows.
    precision : float or None
        The share of them that are of the class.
    lift : float or None
        How much likelier the class is among them than among all training examples.
    """

    text: str
    label: Any
    weight: float
    words: str
    sql: str | None
    support: int | None
    precision: float | None
    lift: float | None

    def __str__(self) -> str:
        return self.text


class RuleList(Sequence[ClassRule]):
    """The rules of a fitted classifier, those with the most weight first."""

    def __init__(self, rules: Sequence[ClassRule]) -> None:
        self._rules = tuple(rules)

    def __len__(self) -> int:
        return len(self._rules)

    @overload
    def __getitem__(self, at: int) -> ClassRule: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[ClassRule, ...]: ...
    def __getitem__(self, at: int | slice) -> ClassRule | tuple[ClassRule, ...]:
        return self._rules[at]

    def __iter__(self) -> Iterator[ClassRule]:
        return iter(self._rules)

    def __repr__(self) -> str:
        return "\n".join(map(str, self._rules))

    def _repr_html_(self) -> str:
        rows = [
            (
                _html.escape(each.label),
                _html.bar(each.weight),
                f"<div>{_html.escape(each.words)}</div>{_html.rules([each.text])}",
                "" if each.support is None else str(each.support),
                "" if each.precision is None else f"{each.precision:.2f}",
                "" if each.lift is None else f"{each.lift:.2f}",
            )
            for each in self._rules[:20]
        ]
        more = _html.small(f"and {len(self) - 20} rules with less weight") if len(self) > 20 else ""
        titles = ["class", "weight", "rule", "support", "precision", "lift"]
        return _html.block(f"{len(self)} rules", _html.table(titles, rows, numbers=(3, 4, 5)) + more)


@dataclass(frozen=True)
class _Wanted:
    """What is to be predicted; the extension module reads it by name."""

    target: str
    weight: str | None
    classes: list[str]
    counts: list[int]
    key: tuple[str, str] | None
    balanced: bool


class RuleEnsembleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A vote of sets of rules, learned from a table, or from linked tables.

    Parameters
    ----------
    database : Database, optional
        The tables that rules speak of. If given, ``X`` is a list of keys into one of them; otherwise a table of features.
    key : str, optional
        The table of the database that ``X`` has keys of, if that is not its first one.
    cost : str
        What to minimise; ``symsnap.COSTS`` lists all. ``"auto"`` leaves it to the data.
    method : str
        How hypotheses are chosen and weighted; ``symsnap.METHODS`` lists all.
    settings : dict, optional
        Settings of the method.
    timeout : float or None
        Seconds for :meth:`fit`, all classes together.
    ticks : int, optional
        Rules to test, all classes together; the result is then the same on any machine.
    max_body : int, optional
        The most literals in the body of a rule; a condition on a number takes two, one for the column and one for the comparison.
    class_weight : dict, "balanced" or None
        Weights of classes.
    random_state : int, RandomState or None
        The seed of random choices; None is a fixed one, so that equal data give equal models.
    n_jobs : int, optional
        Threads; all cores if not given.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    rules_ : RuleList
        The different rules, those with the most weight first.
    estimators_ : list of Member
        The hypotheses that vote.
    weights_ : ndarray
        Their weights; for several classes they sum to 1 for each class.
    model_ : object
        What is kept in files, see :meth:`save`.
    interrupted_ : bool
        Whether Ctrl-C ended :meth:`fit`; the model is the best so far then.
    n_features_in_ : int
        How many features there were.
    feature_names_in_ : ndarray
        Their names, if they had some.

    Examples
    --------
    >>> from symsnap import RuleEnsembleClassifier
    >>> X = {"mass": [3.1, 2.9, 5.0, 5.5, 6.1], "colour": ["red", "blue", "red", "blue", "red"]}
    >>> y = ["small", "small", "large", "large", "large"]
    >>> model = RuleEnsembleClassifier(ticks=2000).fit(X, y)
    >>> model.rules_[0].text
    'label_small(V0) :- mass(V0,V1), V1 =< 4.0.'
    >>> model.predict({"mass": [2.5, 7.0], "colour": ["red", "red"]})
    array(['small', 'large'], dtype='<U5')
    """

    def __init__(
        self,
        database: Database | None = None,
        *,
        key: str | None = None,
        cost: str = "auto",
        method: str = DEFAULT_METHOD,
        settings: Mapping[str, float] | None = None,
        timeout: float | None = 60.0,
        ticks: int | None = None,
        max_body: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.database = database
        self.key = key
        self.cost = cost
        self.method = method
        self.settings = settings
        self.timeout = timeout
        self.ticks = ticks
        self.max_body = max_body
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        if self.database is not None:
            tags.input_tags.one_d_array = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleEnsembleClassifier:
        """Learn rules.

        Parameters
        ----------
        X : array-like or frame, or keys if there is a database
            The features, or the keys of the examples.
        y : array-like
            Their classes.
        sample_weight : array-like, optional
            Weights of the examples; whole numbers are repetitions.

        Returns
        -------
        RuleEnsembleClassifier
            Itself. Ctrl-C ends learning with the best so far and sets ``interrupted_``.
        """
        wishes = self._wishes()
        table = self._table(X, reset=True)
        if y is None:
            raise SymsnapError(
                f"{type(self).__name__} requires y to be passed, but the target y is None", "give the classes as `y`"
            )
        name = getattr(y, "name", None)
        labels = _labels(y)
        check_consistent_length(np.empty(table.rows), labels)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = self._weights(sample_weight, labels)
        present = np.unique(codes[weights > 0])
        if len(present) < 2:
            only = shown(self.classes_[present[0]]) if len(present) else "none"
            raise SymsnapError(
                f"`y` has one class only, {only}: there is nothing to tell apart",
                "give examples of at least two classes",
            )
        used = self.classes_[present]
        texts = _class_texts(used)
        places = np.searchsorted(present, codes)
        titles = [*table.titles, "weight"]
        target = _free(name if isinstance(name, str) and name else "label", titles[:-1])
        weight = _free("weight", [*titles[:-1], target])
        of_rows = np.array([texts[at] if at < len(texts) else None for at in places], dtype=object)
        of_rows[weights == 0] = None
        columns: list[tuple[str, np.ndarray[Any, Any]]] = [(target, of_rows)]
        repeats, rest = _whole(weights)
        counted = weights if rest is None else rest * (weights > 0)
        if rest is not None:
            columns.append((weight, rest))
        table = table.joined(columns_table("y", columns))
        if self.database is None:
            table = table.arranged(None if repeats is None else repeats.tolist())
        elif repeats is not None and (repeats != 1).any():
            table = self._unique_keys(table, target, weight, repeats)
        wanted = _Wanted(
            target,
            weight if weight in table.titles else None,
            texts,
            [int(counted[codes == code].sum()) for code in present],
            None if self.database is None else (table.titles[0], self._key_table()),
            self.class_weight == "balanced",
        )
        database = [] if self.database is None else self.database._tables
        schema = None if self.database is None else self.database.schema._schema
        self._learn(_core.TableRun(table, database, schema, wanted, wishes), texts, used)
        return self

    def _learn(self, run: _core.TableRun, texts: list[str], used: NDArray[Any]) -> None:
        self.interrupted_ = False
        try:
            done = run.wait()
        except KeyboardInterrupt:
            run.cancel()
            self.interrupted_ = True
            done = run.wait()
        except BaseException:
            run.cancel()
            raise
        if self.interrupted_ and (done is None or not any(each["found"] for each in done[1])):
            raise KeyboardInterrupt
        if done is None:
            raise SymsnapError("`timeout` came while the tables were read", "give it more time")
        model, self.runs_, found = done
        warn_of(diagnostics_of(found), 3)
        self.model_ = TableModel(model)
        #: The class of each label of the model, in its order.
        self._label_classes = [used[texts.index(label)] for label in model.labels]
        self._gather()
        if not self.estimators_:
            why = "; ".join(dict.fromkeys(reason for each in self.runs_ for reason in each["why"]))
            warnings.warn(
                f"nothing was learned, so all rows get the most frequent class{': ' + why if why else ''}",
                SymsnapWarning,
                stacklevel=4,
            )

    def _gather(self) -> None:
        members: list[Member] = []
        rules: list[ClassRule] = []
        for at, model in enumerate(self.model_._model.models):
            own = [Member._of(raw) for raw in model.members]
            members += own
            label = self._label_classes[at]
            for text, weight, words, sql, support, precision, lift in self.model_._model.rules(at):
                rules.append(ClassRule(text, label, weight, words, sql, support, precision, lift))
        self.estimators_ = members
        self.weights_ = np.array([member.weight for member in members])
        self.rules_ = RuleList(sorted(rules, key=lambda rule: -rule.weight))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like or frame, or keys if there is a database
            The features, or the keys of the examples.

        Returns
        -------
        ndarray of shape (rows, classes)
        """
        check_is_fitted(self, "model_")
        table = self._table(X, reset=False)
        rows = None
        if self.database is not None:
            table, rows = _distinct(table)
        database = [] if self.database is None else self.database._tables
        raw, found = self.model_._model.predict(table, database)
        warn_of(diagnostics_of(found), 2)
        said: NDArray[np.float64] = np.frombuffer(raw, dtype="<f8").reshape(-1, len(self._label_classes))
        if rows is not None:
            said = said[rows]
        out = np.zeros((len(said), len(self.classes_)))
        out[:, np.searchsorted(self.classes_, self._label_classes)] = said
        return out

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """How much speaks for each class: for two, the second's probability less the first's, for more, the probabilities."""
        said = self.predict_proba(X)
        return said[:, 1] - said[:, 0] if said.shape[1] == 2 else said

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row.

        Parameters
        ----------
        X : array-like or frame, or keys if there is a database
            The features, or the keys of the examples.

        Returns
        -------
        ndarray
            Classes.
        """
        said = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_[np.argmax(said, axis=1)]
        return predicted

    def explain(self, X: Any, row: int = 0, *, label: Any = None) -> Explanation:
        """Why the members vote as they do about one row.

        Parameters
        ----------
        X : array-like or frame, or keys if there is a database
            The features, or the keys of the examples.
        row : int
            Which row of ``X``.
        label : object, optional
            The class whose vote is explained: for two classes the second; for more, the predicted one if not given.

        Returns
        -------
        Explanation
        """
        check_is_fitted(self, "model_")
        table = self._table(X, reset=False)
        row = whole("row", row, 0, table.rows - 1)
        at = 0
        if len(self.model_._model.models) > 1:
            if label is None:
                label = self.classes_[np.argmax(self.predict_proba(X)[row])]
            known = list(self._label_classes)
            if label not in known:
                raise SymsnapError(f"`label` is {shown(label)}, which is no class", f"give one of {known}")
            at = known.index(label)
        place = row
        if self.database is not None:
            table, rows = _distinct(table)
            place = int(rows[row])
        database = [] if self.database is None else self.database._tables
        raw = self.model_._model.explain(table, database, place, at)
        return Explanation._of(raw, [Member._of(each) for each in self.model_._model.models[at].members])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, which ``symsnap predict`` reads with tables in CSV files.

        Parameters
        ----------
        path : str or path-like
            The file.
        """
        check_is_fitted(self, "model_")
        if not isinstance(path, (str, os.PathLike)):
            raise wrong("path", path, "the path of the file to write")
        self.model_._model.write(os.fspath(path))

    def _wishes(self) -> _Wishes:
        jobs = self.n_jobs
        if jobs is not None and (not is_integer(jobs) or int(jobs) == 0 or abs(int(jobs)) > 1024):
            raise wrong("n_jobs", jobs, "a whole number of threads, or None for all cores")
        if self.database is not None and not isinstance(self.database, Database):
            raise wrong("database", self.database, "a symsnap.Database")
        if self.key is not None and self.database is None:
            raise SymsnapError(
                f"`key` is {shown(self.key)}, but there is no `database`", "give one, or leave out `key`"
            )
        if self.database is not None:
            self._key_table()
        self._class_weights(np.array([]))
        seed = 1
        if self.random_state is not None:
            given: Any = self.random_state
            seed = int(given) if is_integer(given) else int(check_random_state(given).randint(2**31 - 1))
        return _Wishes(
            cost=one_of("cost", self.cost, COSTS),
            method=one_of("method", self.method, METHODS),
            settings=method_settings("settings", self.settings),
            timeout=maybe_seconds("timeout", self.timeout),
            ticks=maybe_whole("ticks", self.ticks, 0, 2**63 - 1),
            max_memory=None,
            threads=int(jobs) if jobs is not None and int(jobs) > 0 else None,
            seed=whole("random_state", seed, 0, 2**64 - 1),
            optima=1000,
            strict=False,
            until_limit=False,
            functional=False,
            max_vars=None,
            max_body=maybe_whole("max_body", self.max_body, 1, 250),
            max_clauses=None,
        )

    def _key_table(self) -> str:
        """The table of the database that keys are of."""
        assert self.database is not None
        tables = self.database.schema.tables
        name = next(iter(tables)) if self.key is None else one_of("key", self.key, tables)
        if self.database.schema.key(name) is None:
            raise SymsnapError(
                f"the table '{name}' of `database` has no key", f"say which column it is: keys={{'{name}': ...}}"
            )
        return name

    def _table(self, X: Any, *, reset: bool) -> _core.Table:
        """The features, or the keys, as a table."""
        if self.database is not None:
            return self._keys(X)
        if is_pandas(X) or not is_frame(X):
            # The messages about names and numbers of features are those of all estimators.
            if is_pandas(X):
                if X.shape[0] == 0:
                    raise SymsnapError(
                        f"Found array with 0 sample(s) (shape={X.shape}): `X` has no rows", "give at least one"
                    )
                if X.shape[1] == 0:
                    raise SymsnapError(
                        f"Found array with 0 feature(s) (shape={X.shape}): `X` has no columns", "give some"
                    )
                validate_data(self, X, reset=reset, skip_check_array=True)
                table = table_of(_TABLE, X, "X")
            else:
                checked = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")
                table = array_table(_TABLE, checked)
            _refuse_infinite(table, X)
            return table
        table = table_of(_TABLE, X, "X")
        names = np.array(table.titles, dtype=object)
        if table.rows == 0:
            raise SymsnapError("`X` has no rows", "give at least one")
        if reset:
            self.n_features_in_, self.feature_names_in_ = len(names), names
        elif list(names) != list(getattr(self, "feature_names_in_", names)) or len(names) != self.n_features_in_:
            known = list(getattr(self, "feature_names_in_", []))
            lacking = [name for name in known if name not in names]
            strange = [name for name in names if name not in known]
            raise SymsnapError(
                "the columns of `X` are not those that it was fitted with"
                + (f"; missing: {', '.join(lacking)}" if lacking else "")
                + (f"; new: {', '.join(strange)}" if strange else "")
                + ("; they are in another order" if not lacking and not strange else ""),
                f"give {', '.join(known)}" if known else f"give {self.n_features_in_} columns without names",
            )
        return table

    def _keys(self, X: Any) -> _core.Table:
        """Keys, one in each row."""
        if is_frame(X):
            table = table_of(_TABLE, X, "X")
            columns = table.columns()
            if len(columns) != 1:
                raise SymsnapError(
                    f"`X` has {len(columns)} columns, but with a database it has keys", "give one column with the keys"
                )
            values: NDArray[Any] = np.array([None, *columns[0][2]], dtype=object)[1:]
            kind = columns[0][1]
        else:
            values = np.asarray(X)
            if values.ndim == 2 and values.shape[1] == 1:
                values = values[:, 0]
            if values.ndim != 1:
                raise wrong("X", X, "one key for each example, as there is a database")
            kind = "array"
        if len(values) == 0:
            raise SymsnapError("`X` has no rows", "give at least one")
        missing = next((at for at, value in enumerate(values) if is_missing(value)), None)
        if missing is not None:
            raise SymsnapError(f"`X` has no key in row {missing}", "leave the row out")
        self.n_features_in_ = 1
        raw = column_of("key", values) if kind == "array" else ("key", kind, list(values))
        return _core.Table.from_columns(_TABLE, [raw])

    def _weights(self, sample_weight: Any, labels: NDArray[Any]) -> NDArray[np.float64]:
        """The weights of the examples, with those of their classes."""
        weights = np.ones(len(labels))
        if sample_weight is not None:
            try:
                weights = np.array(sample_weight, dtype=np.float64)
            except (TypeError, ValueError):
                raise wrong("sample_weight", sample_weight, "a number for each example") from None
            if weights.ndim == 0:
                weights = np.full(len(labels), float(weights))
            if weights.shape != labels.shape:
                raise SymsnapError(
                    f"`sample_weight` has the shape {weights.shape}, but there are {len(labels)} examples",
                    "give a number for each example",
                )
            for what, odd in (("is not finite", ~np.isfinite(weights)), ("is negative", weights < 0)):
                if odd.any():
                    at = int(np.argmax(odd))
                    raise SymsnapError(
                        f"`sample_weight[{at}]` is {weights[at]}, which {what}", "weights are numbers from 0 on"
                    )
        for label, factor in self._class_weights(np.unique(labels)).items():
            weights[labels == label] *= factor
        if not weights.any():
            raise SymsnapError("all weights of examples are zero", "give some of them a `sample_weight` above 0")
        return weights

    def _class_weights(self, classes: NDArray[Any]) -> Mapping[Any, float]:
        given = self.class_weight
        if given is None or (isinstance(given, str) and given == "balanced"):
            return {}
        if not isinstance(given, Mapping):
            raise wrong("class_weight", given, "'balanced', or a dictionary of classes and numbers")
        for label, factor in given.items():
            if not isinstance(factor, (int, float, np.number)) or not np.isfinite(factor) or factor < 0:
                raise SymsnapError(
                    f"`class_weight` gives {shown(label)} the weight {shown(factor)}", "give numbers from 0 on"
                )
            if len(classes) and label not in classes.tolist():
                raise SymsnapError(
                    f"`class_weight` has {shown(label)}, which is no class", f"there are {classes.tolist()}"
                )
        return given

    def _unique_keys(self, table: _core.Table, target: str, weight: str, repeats: NDArray[np.uint32]) -> _core.Table:
        """Keys cannot repeat in a table, so repetitions become weights again."""
        columns = [(title, kind, values) for title, kind, values in table.columns()]
        columns.append((weight, "float", [repr(float(max(each, 1))) for each in repeats]))
        for title, _, values in columns:
            if title == target:
                values[:] = [None if each == 0 else value for value, each in zip(values, repeats, strict=True)]
        return _core.Table.from_columns(_TABLE, columns)


class TableModel:
    """What is kept of a fitted classifier in files."""

    def __init__(self, model: _core.TableModel) -> None:
        self._model = model

    def to_json(self) -> str:
        """The text of the model file."""
        return self._model.to_json()

    def __reduce__(self) -> tuple[object, ...]:
        return _model_again, (self.to_json(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableModel) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())


def _model_again(text: str) -> TableModel:
    return TableModel(_core.TableModel.from_json("<pickle>", text.encode()))


def _labels(y: Any) -> NDArray[Any]:
    if is_frame(y) and not is_pandas(y):
        columns = table_of("y", y, "y").columns()
        if len(columns) != 1:
            raise SymsnapError(f"`y` has {len(columns)} columns", "give one, with the classes")
        y = columns[0][2]
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    if len(labels) == 0:
        raise SymsnapError("`y` has no values", "give the class of each row of `X`")
    for at, label in enumerate(labels.tolist()) if labels.dtype.kind in "fO" else ():
        if is_missing(label):
            raise SymsnapError(f"Input y contains NaN: `y` has no value in row {at}", "leave out rows without a class")
        if isinstance(label, float) and not np.isfinite(label):
            raise SymsnapError(
                f"Input y contains infinity: `y` has {label} in row {at}", "give finite numbers or names"
            )
    if labels.dtype.kind == "O":
        kinds = {type(label) for label in labels.tolist()}
        if str in kinds and len(kinds) > 1:
            raise SymsnapError("`y` has texts and other values", "give classes of one type")
    return labels


def _class_texts(classes: NDArray[Any]) -> list[str]:
    """Names of classes, for rules; all different."""
    texts = []
    for label in classes.tolist():
        whole_number = isinstance(label, float) and label.is_integer()
        text = str(int(label)) if whole_number else str(label).lower() if isinstance(label, bool) else str(label)
        texts.append(text)
    return texts if len(set(texts)) == len(texts) and all(texts) else [f"c{at}" for at in range(len(texts))]


def _free(title: str, taken: list[str]) -> str:
    while title in taken:
        title += "_"
    return title


def _whole(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint32] | None, NDArray[np.float64] | None]:
    """Weights as repetitions of rows where that is possible, and otherwise as the smallest whole numbers that are nearly right."""
    if (weights == np.round(weights)).all() and weights.sum() <= _MOST_REPEATED * len(weights):
        return weights.astype(np.uint32), None
    positive = weights[weights > 0]
    for scale in range(1, 11):
        scaled = positive / positive.min() * scale
        if (np.abs(np.round(scaled) / scaled - 1) <= 0.05).all():
            break
    whole_numbers = np.clip(np.round(weights / positive.min() * scale), 1, 1e6)
    return (weights > 0).astype(np.uint32), whole_numbers


def _distinct(table: _core.Table) -> tuple[_core.Table, NDArray[np.intp]]:
    """Different keys, and which of them each row has: keys name one row each."""
    title, kind, values = table.columns()[0]
    places: dict[str | None, int] = {}
    rows = np.array([places.setdefault(value, len(places)) for value in values], dtype=np.intp)
    return _core.Table.from_columns(_TABLE, [(title, kind, list(places))]), rows


def _refuse_infinite(table: _core.Table, X: Any) -> None:
    values = np.asarray(X.select_dtypes("number")) if is_pandas(X) else np.asarray(X)
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values).any(axis=1)))
        raise SymsnapError(
            f"Input X contains infinity: `X` has it in row {row}", "give finite numbers; NaN is a missing value"
        )
