"""What the extension module advises, in the words of Python: what a schema file says elsewhere, arguments and frames say here."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from ._errors import Diagnostic

#: How the extension module ends advice about schema files.
_FILE = "in a schema"


def for_python(found: Iterable[Diagnostic], titles: Mapping[str, Sequence[str]], *, linked: bool) -> list[Diagnostic]:
    """Findings about tables, given their titles, without advice to write a schema file; ``linked`` ones are in a Database."""
    return [_translated(each, titles, linked) for each in found]


def _translated(each: Diagnostic, titles: Mapping[str, Sequence[str]], linked: bool) -> Diagnostic:
    if each.help is None or _FILE not in each.help:
        return each
    table = (each.file or "")[1:-1]
    at = each.column
    title = titles[table][at - 1] if at is not None and 0 < at <= len(titles.get(table, ())) else "..."
    where = f"{table}.{title}" if linked else f"table.{title}"
    if '"link"' in each.help:
        said = f"it is read as any other column; links={{'{where}': ...}} makes such values errors"
    elif '"category"' in each.help and linked:
        said = f"kinds={{'{where}': 'category'}} takes it in"
    elif '"category"' in each.help:
        said = (
            "drop it, or make columns of what matters in it, such as its length or first word; "
            f"a Database takes it in as it is, with kinds={{'{where}': 'category'}}"
        )
    elif '"float"' in each.help:
        numbers = f"frame['{title}'].str.replace(',', '.').astype(float)"
        said = f"make numbers of it, as {numbers} does where commas stand before fractions"
    else:
        said = each.help.replace("list it under `missing` in a schema", "give None in its place")
    return dataclasses.replace(each, help=said, text=each.text.replace(each.help, said))
