"""The estimator: rules from tables, with the interface of scikit-learn."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._advice import for_python
from ._arguments import (
    file_path,
    flag,
    is_integer,
    listed,
    maybe_seconds,
    maybe_whole,
    method_settings,
    one_of,
    shown,
    whole,
    wrong,
)
from ._class_rules import ClassRule, RuleList
from ._database import Database
from ._errors import Diagnostic, SymsnapError, SymsnapWarning, diagnostics_of, warn_of
from ._examples import class_texts, class_weights, free_title, labels_of, unique_keys, weights_of, whole_weights
from ._explain import Explanation
from ._features import distinct, features_table, keys_table, one_key, refuse_repeated, strange_keys
from ._frames import columns_table
from ._hypotheses import Member
from ._leaks import telling_columns, telling_columns_of_keys
from ._learn import _Wishes
from ._pool import COSTS, DEFAULT_METHOD, METHODS
from ._progress import Meter
from ._table_model import TableModel


#: Kinds of columns of a database that rules do not compare, or that are names of rows.
_NO_FEATURES = ("ignore", "text", "key", "link")


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
    progress : bool, optional
        Whether :meth:`fit` shows how far it is; if not given, in terminals and notebooks.

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
        progress: bool | None = None,
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
        self.progress = progress

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
        table = keys = self._table(X, reset=True)
        if self.database is not None:
            refuse_repeated(keys, X)
        if y is None:
            raise SymsnapError(
                f"{type(self).__name__} requires y to be passed, but the target y is None", "give the classes as `y`"
            )
        name = getattr(y, "name", None)
        labels = labels_of(y)
        check_consistent_length(np.empty(table.rows), labels)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        weights = weights_of(sample_weight, self.class_weight, labels)
        present = np.unique(codes[weights > 0])
        if len(present) < 2:
            raise self._one_class(sample_weight, labels, present[0])
        used = self.classes_[present]
        texts = class_texts(used)
        places = np.searchsorted(present, codes)
        titles = [*table.titles, "weight"]
        target = free_title(name if isinstance(name, str) and name else "label", titles[:-1])
        weight = free_title("weight", [*titles[:-1], target])
        of_rows = np.array([texts[at] if at < len(texts) else None for at in places], dtype=object)
        of_rows[weights == 0] = None
        columns: list[tuple[str, np.ndarray[Any, Any]]] = [(target, of_rows)]
        repeats, rest = whole_weights(weights)
        counted = weights if rest is None else rest * (weights > 0)
        if rest is not None:
            columns.append((weight, rest))
        table = table.joined(columns_table("y", columns, "y"))
        if self.database is None:
            table = table.arranged(None if repeats is None else repeats.tolist())
        elif repeats is not None and (repeats != 1).any():
            table = unique_keys(table, target, weight, repeats)
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
        self._warn_of_leaks(table, target, wanted.weight)
        try:
            self._learn(_core.TableRun(table, database, schema, wanted, wishes), texts, used, table)
        except SymsnapError:
            strange = None if self.database is None else self._strange_keys(keys, X)
            if strange is None:
                raise
            raise strange from None
        return self

    def _warn_of_leaks(self, table: _core.Table, target: str, weight: str | None) -> None:
        """One warning about all columns that say what the labels say, as far as rules may speak of them."""
        if self.database is None:
            telling = telling_columns(table, target, [] if weight is None else [weight])
            whose, advice = "`X`", "leave them out if they are not known before the class is"
        else:
            rows, key = self._key_column()
            name = rows.name
            values = {title: values for title, _, values in table.columns()}
            labels = {one: label for one, label in zip(values["key"], values[target], strict=True) if one is not None}
            spared = [each.name for each in self.database.schema.tables[name] if each.kind in _NO_FEATURES]
            telling = telling_columns_of_keys(rows, key, labels, spared)
            whose = f"the table '{name}' of `database`"
            kinds = ", ".join(f"'{name}.{title}': 'ignore'" for title in telling)
            advice = f"if that is not known before the class is, database.edited(kinds={{{kinds}}}) leaves it out"
        if not telling:
            return
        columns = f"columns {listed(telling)} of {whose} say" if telling[1:] else f"column '{telling[0]}' of {whose} says"
        advice = advice if telling[1:] else advice.replace("leave them out if they are", "leave it out if it is")
        warnings.warn(
            f"{columns} what `y` says, in the same or other words\n  help: {advice}", SymsnapWarning, stacklevel=3
        )

    def _strange_keys(self, keys: _core.Table, X: Any, row: int | None = None) -> SymsnapError | None:
        return strange_keys(keys, X, *self._key_column(), row)

    def _key_column(self) -> tuple[_core.Table, str]:
        """The table that keys are of, and its key."""
        assert self.database is not None
        name = self._key_table()
        key = self.database.schema.key(name)
        assert key is not None, "a table without one was refused"
        return next(table for table in self.database._tables if table.name == name), key

    def _warn_of_tables(
        self, found: list[Diagnostic], keys: _core.Table, X: Any, level: int, row: int | None = None
    ) -> None:
        """Warn of what is odd about tables to be predicted, or about one row of them."""
        if self.database is not None and any(each.file == f"<{keys.name}>" for each in found):
            # Keys were put into a table for the extension module, with another title and without repetitions.
            strange = self._strange_keys(keys, X, row)
            if strange is not None:
                found = [each for each in found if each.file != f"<{keys.name}>"]
                warnings.warn(str(strange), SymsnapWarning, stacklevel=level + 1)
        warn_of(for_python(found, self._titles(keys), linked=self.database is not None), level + 1)

    def _titles(self, table: _core.Table) -> dict[str, list[str]]:
        tables = [] if self.database is None else self.database._tables
        return {each.name: each.titles for each in (table, *tables)}

    def _one_class(self, sample_weight: Any, labels: NDArray[Any], at: int) -> SymsnapError:
        """Why there is but one class: labels, or the weights that leave out the others."""
        only = shown(self.classes_[at])
        if len(self.classes_) < 2:
            return SymsnapError(
                f"`y` has one class only, {only}: there is nothing to tell apart",
                "give examples of at least two classes",
            )
        left = labels[weights_of(sample_weight, None, labels) > 0]
        cause = "sample_weight" if (left == left[0]).all() else "class_weight"
        return SymsnapError(
            f"`{cause}` leaves one class only, {only}: there is nothing to tell apart",
            "give examples of at least two classes a weight above 0",
        )

    def _learn(self, run: _core.TableRun, texts: list[str], used: NDArray[Any], table: _core.Table) -> None:
        self.interrupted_ = False
        meter = Meter(self.progress, self.timeout, self.ticks)
        try:
            while not run.poll():
                meter.show(run)
            done = run.wait()
        except KeyboardInterrupt:
            run.cancel()
            self.interrupted_ = True
            done = run.wait()
        except BaseException:
            run.cancel()
            raise
        finally:
            meter.close()
        if self.interrupted_ and (done is None or not any(each["found"] for each in done[1])):
            raise KeyboardInterrupt
        if done is None:
            raise SymsnapError("`timeout` came while the tables were read", "give it more time")
        model, self.runs_, found = done
        warn_of(for_python(diagnostics_of(found), self._titles(table), linked=self.database is not None), 3)
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
        table = keys = self._table(X, reset=False)
        rows = None
        if self.database is not None:
            table, rows = distinct(table)
        database = [] if self.database is None else self.database._tables
        raw, found = self.model_._model.predict(table, database)
        self._warn_of_tables(list(diagnostics_of(found)), keys, X, 2)
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

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithms of what :meth:`predict_proba` says; minus infinity where that is 0."""
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that get their class.

        Parameters
        ----------
        X : array-like or frame, or keys if there is a database
            The features, or the keys of the examples.
        y : array-like
            Their classes, of any form that :meth:`fit` takes.
        sample_weight : array-like, optional
            Weights of the examples.

        Returns
        -------
        float
        """
        # Columns that `fit` makes plain arrays of are of no type that scikit-learn's scores know.
        return float(super().score(X, labels_of(y), sample_weight))

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
                raise SymsnapError(
                    f"`label` is {shown(label)}, which is no class", f"give one of {', '.join(map(shown, known))}"
                )
            at = known.index(label)
        place = row
        database = [] if self.database is None else self.database._tables
        if self.database is not None:
            keys, table, place = table, one_key(table, row), 0
            # Explanations come without findings about tables.
            found = self.model_._model.predict(table, database)[1]
            self._warn_of_tables(list(diagnostics_of(found)), keys, X, 2, row)
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
        self.model_._model.write(file_path("path", path, "the path of the file to write"))

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
        class_weights(self.class_weight, np.array([]))
        if self.progress is not None:
            flag("progress", self.progress)
        seed = 1
        if self.random_state is not None:
            given: Any = self.random_state
            if not is_integer(given) and not hasattr(given, "randint"):
                raise wrong("random_state", given, "a whole number, a RandomState of NumPy, or None for the usual seed")
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
        if self.database is None:
            return features_table(self, X, reset=reset)
        table = keys_table(X, self.database.tables)
        self.n_features_in_ = 1
        return table
