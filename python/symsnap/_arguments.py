"""Checks of arguments, with one message each that names the argument and the way out."""

from __future__ import annotations

import difflib
import math
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard

import numpy as np

from ._errors import SymsnapError


def shown(value: object) -> str:
    """A value for messages, cut short."""
    # A number of NumPy is a number to whoever gave it.
    text = repr(value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufcUS" else value)
    return text if len(text) <= 60 else text[:57] + "..."


def wrong(argument: str, value: object, expected: str) -> SymsnapError:
    """The error about an argument that is something else than expected."""
    return SymsnapError(f"`{argument}` is {shown(value)}", f"give {expected}")


def listed(names: Iterable[str]) -> str:
    """Names for messages."""
    return ", ".join(f"'{name}'" for name in names)


def meant(name: str, known: Iterable[str], there_are: str = "there are") -> str:
    """Which name was meant, or all that there are."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    few = known[:20]
    more = f" and {len(known) - len(few)} more" if len(known) > len(few) else ""
    return f"{there_are} {listed(few)}{more}" if few else f"{there_are} none"


def one_of(argument: str, value: object, known: Iterable[str]) -> str:
    """A name out of some."""
    known = list(known)
    if not isinstance(value, str):
        raise wrong(argument, value, f"one of {listed(known)}")
    if value not in known:
        raise SymsnapError(f"`{argument}` is {shown(value)}, which there is not", meant(value, known))
    return value


def is_integer(value: object) -> TypeGuard[numbers.Integral]:
    """Whether it is a whole number, of Python or NumPy; truth values are none."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def whole(argument: str, value: object, least: int, most: int) -> int:
    """A whole number within limits."""
    if not is_integer(value):
        raise wrong(argument, value, f"a whole number from {least} to {most}")
    if not least <= int(value) <= most:
        raise SymsnapError(f"`{argument}` is {int(value)}", f"give a whole number from {least} to {most}")
    return int(value)


def maybe_whole(argument: str, value: object, least: int, most: int) -> int | None:
    """A whole number within limits, or None."""
    return None if value is None else whole(argument, value, least, most)


def maybe_seconds(argument: str, value: object) -> float | None:
    """A number of seconds, or None for no limit."""
    if value is None:
        return None
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not math.isfinite(float(value)):
        raise wrong(argument, value, "a number of seconds, or None for no limit")
    if not 0 <= float(value) < 1e9:
        raise SymsnapError(f"`{argument}` is {value}", "give a number of seconds from 0 on, or None for no limit")
    return float(value)


def flag(argument: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise wrong(argument, value, "True or False")
    return value


def text(argument: str, value: object) -> str:
    """A string."""
    if not isinstance(value, str):
        raise wrong(argument, value, "a string")
    if is_broken(value):
        raise broken(f"`{argument}` is {shown(value)}")
    return value


def is_broken(text: str) -> bool:
    """Whether it has half of a surrogate pair: Python's strings may, texts in UTF-8, in which all is read and written, may not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def first_broken(texts: Sequence[str | None]) -> int | None:
    """The place of the first text that is broken. All are looked at together, as there may be millions and hardly ever one."""
    if not is_broken("".join(text for text in texts if text)):
        return None
    return next((at for at, text in enumerate(texts) if text and is_broken(text)), None)


def broken(what: str) -> SymsnapError:
    """The error about a broken text; ``what`` says where it is and shows it."""
    return SymsnapError(
        f"{what}, which has half of a surrogate pair and cannot be written as UTF-8",
        "mend the text, for example with text.encode('utf-8', 'replace').decode()",
    )


def file_path(argument: str, value: object, expected: str) -> str:
    """The path of a file or folder."""
    if not isinstance(value, (str, os.PathLike)):
        raise wrong(argument, value, expected)
    named: str = os.fspath(value)
    try:
        # Halves of surrogate pairs stand for bytes here, but not all of them.
        os.fsencode(named)
    except UnicodeEncodeError:
        raise broken(f"`{argument}` is {shown(value)}") from None
    return named


def method_settings(argument: str, value: object) -> list[tuple[str, float]]:
    """The settings of a method: names and numbers."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise wrong(argument, value, "a dictionary of names and numbers, such as {'bags': 5}")
    for name, number in value.items():
        if not isinstance(name, str):
            raise wrong(argument, value, "a dictionary of names and numbers, such as {'bags': 5}")
        if is_broken(name):
            raise broken(f"`{argument}` has a setting called {shown(name)}")
        if not isinstance(number, numbers.Real) or isinstance(number, bool) or not math.isfinite(float(number)):
            raise SymsnapError(f"`{argument}` gives {shown(name)} the value {shown(number)}", "give a finite number")
    return [(name, float(number)) for name, number in value.items()]
