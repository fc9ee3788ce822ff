"""What is learned from: the labels of examples, as texts for rules, and their weights, as whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from . import _core
from ._arguments import broken, first_broken, shown, wrong
from ._errors import SymsnapError
from ._frames import is_frame, is_missing, is_pandas, table_of

#: Whole weights are repetitions as long as there are no more than this many rows for each that was given.
_MOST_REPEATED = 20


#: What classes may be, for messages.
_CLASSES = "texts, whole numbers, truth values or dates of NumPy (datetime64)"


def labels_of(y: Any) -> NDArray[Any]:
    """The labels, one for each example, as an array of a type that classes may have."""
    if is_frame(y) and not is_pandas(y):
        columns = table_of("y", y, "y").columns()
        if len(columns) != 1:
            raise SymsnapError(f"`y` has {len(columns)} columns", "give one, with the classes")
        y = _typed(columns[0][1], columns[0][2])
    if is_pandas(y) and y.shape[1] == 1 and not isinstance(y.dtypes.iloc[0], np.dtype):
        y = _of_pandas(y.iloc[:, 0])[:, np.newaxis]
    elif type(y).__module__.split(".")[0] == "pandas" and not isinstance(getattr(y, "dtype", np.dtype("O")), np.dtype):
        y = _of_pandas(y)
    if isinstance(y, np.ndarray) and y.dtype.kind == "T":
        y = y.astype(object)
    # What makes an array of them for scikit-learn shows all of them, and names no argument.
    odd = next((at for at, label in enumerate(y) if isinstance(label, complex)), None) if _may_be_complex(y) else None
    if odd is not None:
        raise _no_class("complex", y[odd], odd)
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    if len(labels) == 0:
        raise SymsnapError("`y` has no values", "give the class of each row of `X`")
    for at, label in enumerate(labels.tolist()) if labels.dtype.kind in "fO" else ():
        if is_missing(label):
            raise _missing(at)
        if isinstance(label, float) and not np.isfinite(label):
            raise SymsnapError(
                f"Input y contains infinity: `y` has {label} in row {at}", "give finite numbers or names"
            )
    if labels.dtype.kind in "mM" and np.isnat(labels).any():
        raise _missing(int(np.argmax(np.isnat(labels))))
    if labels.dtype.kind == "O":
        labels = _of_one_type(labels)
    if labels.dtype.kind == "f" and (labels != np.round(labels)).any():
        at = int(np.argmax(labels != np.round(labels)))
        raise SymsnapError(
            f"Unknown label type: continuous: `y` has {labels[at]} in row {at}, which is a quantity and no class",
            f"make two classes of it, as `y > {labels[at]}` does, or more, with pandas.cut",
        )
    if labels.dtype.kind == "U":
        return _unbroken(labels)
    if labels.dtype.kind in "SV":
        raise _no_class("bytes" if labels.dtype.kind == "S" else labels.dtype.name, labels[0], 0)
    return labels


def _may_be_complex(y: Any) -> bool:
    return isinstance(y, (list, tuple)) or (isinstance(y, np.ndarray) and y.dtype.kind == "c")


def _of_pandas(values: Any) -> NDArray[Any]:
    """Values of one of pandas' own types. NumPy by itself makes floats of its whole numbers and truth values."""
    missing = np.asarray(values.isna())
    if missing.any():
        raise _missing(int(np.argmax(missing)))
    kind = getattr(values.dtype, "numpy_dtype", None)
    of_numbers = isinstance(kind, np.dtype) and kind.kind in "biuf"
    plain: NDArray[Any] = values.to_numpy(dtype=kind) if of_numbers else np.asarray(values)
    return plain


def _typed(kind: str, texts: list[str | None]) -> NDArray[Any]:
    """The values whose texts a table keeps."""
    types: dict[str, Callable[[str], object]] = {"integer": int, "float": float, "boolean": "true".__eq__}
    read = types.get(kind, str)
    values = np.empty(len(texts), dtype=object)
    values[:] = [None if text is None else read(text) for text in texts]
    return values.astype("M8[D]" if kind == "date" else "M8[s]") if kind in ("date", "datetime") else values


def _of_one_type(labels: NDArray[Any]) -> NDArray[Any]:
    """Python's objects, if all of them are texts, truth values or numbers."""
    kinds: dict[type, int] = {}
    for at, label in enumerate(labels.tolist()):
        kind = next((kind for kind in (str, bool, np.bool_, Integral, Real) if isinstance(label, kind)), None)
        if kind is None:
            if any(each in kinds for each in (str, bool, Integral, Real)):
                raise _mixed(labels, 0, at)
            raise _no_class(type(label).__name__, label, at)
        kinds.setdefault(bool if kind is np.bool_ else kind, at)
    if Real in kinds:
        kinds.pop(Integral, None)
    if len(kinds) > 1:
        one, other = list(kinds.values())[:2]
        raise _mixed(labels, one, other)
    if str in kinds:
        return _unbroken(labels)
    if Integral in kinds:
        large = next((at for at, label in enumerate(labels.tolist()) if not -(2**63) <= int(label) < 2**63), None)
        if large is not None:
            raise SymsnapError(
                f"`y` has {shown(labels[large])} in row {large}, and whole numbers have at most 63 bits",
                "make texts of the classes",
            )
    made: NDArray[Any] = labels.astype(bool if bool in kinds else np.int64 if Integral in kinds else np.float64)
    return made


def _unbroken(labels: NDArray[Any]) -> NDArray[Any]:
    at = first_broken(labels.tolist())
    if at is not None:
        raise broken(f"`y` has {shown(labels[at])} in row {at}")
    return labels


def _missing(at: int) -> SymsnapError:
    return SymsnapError(f"Input y contains NaN: `y` has no value in row {at}", "leave out rows without a class")


def _mixed(labels: NDArray[Any], one: int, other: int) -> SymsnapError:
    shows = " and ".join(f"{shown(labels[at])} in row {at}" for at in (one, other))
    return SymsnapError(f"`y` has values of several types, {shows}", "give classes of one type")


def _no_class(kind: str, label: object, at: int) -> SymsnapError:
    # Estimators of scikit-learn begin such messages with these words, and its checks ask for them.
    return SymsnapError(
        f"Unknown label type: {kind}: `y` has {shown(label)} in row {at}",
        f"classes are {_CLASSES}; "
        + (
            "decode the bytes"
            if isinstance(label, bytes)
            else "give the texts, [str(label) for label in y], or what each of them stands for"
        ),
    )


def class_texts(classes: NDArray[Any]) -> list[str]:
    """Names of classes, for rules; all different."""
    texts = []
    dates = classes.dtype.kind == "M"
    for label in (np.datetime_as_string(classes) if dates else classes).tolist():
        whole_number = isinstance(label, float) and label.is_integer()
        text = str(int(label)) if whole_number else str(label).lower() if isinstance(label, bool) else str(label)
        texts.append(text)
    return texts if len(set(texts)) == len(texts) and all(texts) else [f"c{at}" for at in range(len(texts))]


def free_title(title: str, taken: Container[str]) -> str:
    while title in taken:
        title += "_"
    return title


def weights_of(sample_weight: Any, class_weight: object, labels: NDArray[Any]) -> NDArray[np.float64]:
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
    for label, factor in class_weights(class_weight, np.unique(labels)).items():
        weights[labels == label] *= factor
    if not weights.any():
        raise SymsnapError("all weights of examples are zero", "give some of them a `sample_weight` above 0")
    return weights


def class_weights(given: object, classes: NDArray[Any]) -> Mapping[Any, float]:
    """The weights that are given to classes by hand; without ``classes`` it is not asked whether these are some."""
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
            raise SymsnapError(f"`class_weight` has {shown(label)}, which is no class", f"there are {classes.tolist()}")
    return given


def whole_weights(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint32] | None, NDArray[np.float64] | None]:
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


def unique_keys(table: _core.Table, target: str, weight: str, repeats: NDArray[np.uint32]) -> _core.Table:
    """Keys cannot repeat in a table, so repetitions become weights again."""
    columns = [(title, kind, values) for title, kind, values in table.columns()]
    columns.append((weight, "float", [repr(float(max(each, 1))) for each in repeats]))
    for title, _, values in columns:
        if title == target:
            values[:] = [None if each == 0 else value for value, each in zip(values, repeats, strict=True)]
    return _core.Table.from_columns(table.name, columns)
