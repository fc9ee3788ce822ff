"""The one exception of the package, made of findings that know their place and the way out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass

#: A finding as the extension module hands it over.
RawDiagnostic = tuple[str, str, "str | None", "int | None", "int | None", "str | None", str]


@dataclass(frozen=True)
class Diagnostic:
    """One finding about an input.

    Attributes
    ----------
    severity : str
        ``"error"`` or ``"warning"``.
    message : str
        One sentence without a full stop.
    file : str or None
        The file, or the table in angle brackets.
    line : int or None
        The line of the file, from 1; the row of a table in memory, from 0.
    column : int or None
        The column of the line, or of the table, from 1.
    help : str or None
        What to do about it.
    """

    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    help: str | None = None
    text: str = ""

    def __str__(self) -> str:
        return self.text


def diagnostics_of(raw: Iterable[RawDiagnostic]) -> tuple[Diagnostic, ...]:
    """Findings of the extension module as objects."""
    return tuple(_diagnostic(*each) for each in raw)


def _diagnostic(
    severity: str,
    message: str,
    file: str | None,
    line: int | None,
    column: int | None,
    advice: str | None,
    text: str,
) -> Diagnostic:
    if file is not None and file.startswith("<") and file.endswith(">") and file not in ("<atoms>", "<atom>"):
        # A table in memory: the extension module counts its rows as lines from 1.
        row = line - 1 if line else None
        text = f"in {file[1:-1]}: {message}" if row is None else f"in row {row} of {file[1:-1]}: {message}"
        if advice:
            text += f"\n  help: {advice}"
        return Diagnostic(severity, message, file, row, column, advice, text)
    return Diagnostic(severity, message, file, line, column, advice, text.removeprefix(f"{severity}: "))


class SymsnapError(ValueError):
    """What is wrong with an argument, a file or a table, and what to do about it.

    The only exception that this package raises by itself.

    Attributes
    ----------
    diagnostics : tuple of Diagnostic
        All findings; there may be many about one file.

    Examples
    --------
    >>> import symsnap
    >>> try:
    ...     symsnap.Task.from_text(bk="p(a).", exs="pos(f(a)).", bias="head_pred(f,1).")
    ... except symsnap.SymsnapError as error:
    ...     print(error.diagnostics[0].line, error.diagnostics[0].message)
    1 the bias has no `body_pred` declaration
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, message: str, help: str | None = None, *, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        text = message if help is None else f"{message}\n  help: {help}"
        self.diagnostics = diagnostics or (Diagnostic("error", message, help=help, text=text),)
        super().__init__(text)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (str(self), self.diagnostics)

    @classmethod
    def _of(cls, raw: Iterable[RawDiagnostic]) -> SymsnapError:
        found = diagnostics_of(raw)
        return cls("\n".join(str(each) for each in found), diagnostics=found)


def _again(text: str, found: tuple[Diagnostic, ...]) -> SymsnapError:
    return SymsnapError(text, diagnostics=found)


class SymsnapWarning(UserWarning):
    """Something that can be used, but should be known."""


def warn_of(found: Iterable[Diagnostic], level: int) -> None:
    """Warn of findings; ``level`` calls above is whose line is named."""
    for each in found:
        warnings.warn(str(each), SymsnapWarning, stacklevel=level + 1)
