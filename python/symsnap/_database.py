"""Linked tables that rules speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core, _html
from ._advice import for_python
from ._arguments import broken, is_broken, meant, one_of, shown, wrong
from ._errors import Diagnostic, SymsnapError, diagnostics_of, warn_of
from ._frames import table_of

#: The kinds that a column may be given.
KINDS: list[str] = _core.kinds()


@dataclass(frozen=True)
class ColumnInfo:
    """What a column means: its title, its kind, and the table whose rows it names, if it does."""

    name: str
    kind: str
    to: str | None = None


class Schema:
    """What the tables of a :class:`Database` mean: keys, links, and the kinds of other columns.

    It is inferred. To correct it, give ``keys``, ``links`` and ``kinds`` to the database.
    """

    def __init__(self, schema: _core.Schema) -> None:
        self._schema = schema
        self.tables: dict[str, tuple[ColumnInfo, ...]] = {
            name: tuple(ColumnInfo(*column) for column in columns) for name, columns in schema.tables()
        }

    def key(self, table: str) -> str | None:
        """The column that names the rows of a table, if one does."""
        return next((column.name for column in self.tables[table] if column.kind == "key"), None)

    def __repr__(self) -> str:
        lines = []
        for name, columns in self.tables.items():
            lines.append(name)
            for column in columns:
                to = f" -> {column.to}" if column.to is not None else ""
                lines.append(f"  {column.name}: {column.kind}{to}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [
            (
                _html.escape(name if at == 0 else ""),
                _html.escape(column.name),
                _html.escape(column.kind),
                _html.escape(column.to or ""),
            )
            for name, columns in self.tables.items()
            for at, column in enumerate(columns)
        ]
        return _html.block("Schema", _html.table(["table", "column", "kind", "of table"], rows))


class Database:
    """Tables that are linked by keys; immutable, so that clones and folds of a search share it.

    Parameters
    ----------
    tables : dict
        Names and frames: of pandas, polars, pyarrow or DuckDB, dictionaries of columns, or rows of sqlite3.
    links : dict, optional
        Columns that name rows of other tables, as ``{"bonds.from": "atoms"}``. Others are proposed by their titles and used if
        each of their values is a key of the other table. Where names have points themselves, the longest name of a table that
        leaves a column is meant.
    keys : dict, optional
        The columns that name the rows of tables, as ``{"atoms": "id"}``, where titles do not say.
    kinds : dict, optional
        The kinds of columns, as ``{"atoms.charge": "ignore"}``, where they are not what was inferred.

    Examples
    --------
    >>> import symsnap
    >>> database = symsnap.Database(
    ...     {
    ...         "molecules": {"id": ["m1", "m2"], "logp": [1.5, 2.5]},
    ...         "atoms": {"id": [1, 2, 3], "molecule_id": ["m1", "m1", "m2"], "element": ["c", "n", "c"]},
    ...     }
    ... )
    >>> database.schema
    molecules
      id: key
      logp: float
    atoms
      id: key
      molecule_id: link -> molecules
      element: category
    """

    schema: Schema

    def __init__(
        self,
        tables: Mapping[str, Any],
        links: Mapping[str, str] | None = None,
        *,
        keys: Mapping[str, str] | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        if not isinstance(tables, Mapping) or not tables:
            raise wrong("tables", tables, "a dictionary of names and frames")
        for name in tables:
            if not isinstance(name, str) or not name:
                raise SymsnapError(f"`tables` has a table called {shown(name)}", "names of tables are strings")
            if is_broken(name):
                raise broken(f"`tables` has a table called {shown(name)}")
        made = [
            table if isinstance(table, _core.Table) else table_of(name, table, f"tables['{name}']")
            for name, table in tables.items()
        ]
        for table in made:
            if table.rows == 0:
                raise SymsnapError(f"`tables['{table.name}']` has no rows", "leave it out, or fill it")
        self._tables = made
        self._declared = (_texts("links", links), _texts("keys", keys), _texts("kinds", kinds))
        known = {table.name: table.titles for table in made}
        given = [(*_column("links", where, known), to) for where, to in self._declared[0].items()]
        named = [(_table("keys", name, known), column) for name, column in self._declared[1].items()]
        schema, found = _core.Schema.describe(made, named, given)
        for where, kind in self._declared[2].items():
            name, column = _column("kinds", where, known)
            changed = schema.with_kind(name, column, one_of("kinds", kind, KINDS))
            assert changed is not None, "table, column and kind are there"
            schema = changed
        self.schema = Schema(schema)
        #: What is odd about the tables.
        self.warnings: tuple[Diagnostic, ...] = tuple(for_python(diagnostics_of(found), known, linked=True))
        warn_of(self.warnings, 2)

    @classmethod
    def from_triples(cls, triples: Any) -> Database:
        """A database of triples: subject, relation and object each, as knowledge graphs have them.

        Parameters
        ----------
        triples : iterable of tuples, or frame with three columns
            The triples. All subjects and objects become rows of the table ``entities`` with the key ``id``; each relation
            becomes a table with the links ``subject`` and ``object``. Its name is that of the relation, with ``_`` after it where
            that is ``entities`` or means something else in rules, as ``=<`` does, and ``unnamed`` where it is empty.

        Returns
        -------
        Database

        Examples
        --------
        >>> import symsnap
        >>> symsnap.Database.from_triples([("ann", "likes", "bob"), ("bob", "likes", "cid"), ("ann", "knows", "cid")])
        <Database of 3 tables: entities (3 rows), likes (2 rows), knows (1 row)>
        """
        rows = _triples(triples)
        entities = list(dict.fromkeys(each for subject, _, other in rows for each in (subject, other)))
        tables: dict[str, Any] = {"entities": {"id": entities}}
        links: dict[str, str] = {}
        pairs: dict[str, list[tuple[str, str]]] = {}
        for subject, relation, other in rows:
            pairs.setdefault(relation, []).append((subject, other))
        for relation, found in pairs.items():
            name = relation or "unnamed"
            # Prolog reads these as operators. A relation that needs another name may not take that of another one.
            while name in tables or (name != relation and name in pairs) or name == "not" or _is_sign(name):
                name += "_"
            tables[name] = {"subject": [one for one, _ in found], "object": [other for _, other in found]}
            links |= {f"{name}.subject": "entities", f"{name}.object": "entities"}
        return cls(tables, links, keys={"entities": "id"})

    @property
    def tables(self) -> dict[str, int]:
        """The names of the tables, and how many rows each has."""
        return {table.name: table.rows for table in self._tables}

    def edited(
        self,
        *,
        links: Mapping[str, str] | None = None,
        keys: Mapping[str, str] | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> Database:
        """The same tables with more said about them; arguments as for the class."""
        before = self._declared
        return Database(
            {table.name: table for table in self._tables},
            before[0] | _texts("links", links),
            keys=before[1] | _texts("keys", keys),
            kinds=before[2] | _texts("kinds", kinds),
        )

    def __copy__(self) -> Database:
        return self

    def __deepcopy__(self, memo: object) -> Database:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _database_again, ([(table.name, table.columns()) for table in self._tables], *self._declared)

    def __repr__(self) -> str:
        rows = [f"{name} ({count} row{'' if count == 1 else 's'})" for name, count in self.tables.items()]
        return f"<Database of {len(rows)} table{'' if len(rows) == 1 else 's'}: {', '.join(rows)}>"

    def _repr_html_(self) -> str:
        return self.schema._repr_html_().replace(
            '<div class="title">Schema', f'<div class="title">{_html.escape(repr(self)[1:-1])}'
        )


def _database_again(
    tables: list[tuple[str, Any]], links: dict[str, str], keys: dict[str, str], kinds: dict[str, str]
) -> Database:
    import warnings

    with warnings.catch_warnings():
        # They were told when the database was made.
        warnings.simplefilter("ignore")
        return Database(
            {name: _core.Table.from_columns(name, made) for name, made in tables}, links, keys=keys, kinds=kinds
        )


def _texts(argument: str, given: Mapping[str, str] | None) -> dict[str, str]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for pair in given.items() for text in pair):
        example = {"links": "{'atoms.mol': 'molecules'}", "keys": "{'atoms': 'id'}"}.get(
            argument, "{'atoms.charge': 'float'}"
        )
        raise wrong(argument, given, f"a dictionary such as {example}")
    for name in (each for pair in given.items() for each in pair if is_broken(each)):
        raise broken(f"`{argument}` names {shown(name)}")
    return dict(given)


def _table(argument: str, name: str, known: Mapping[str, list[str]]) -> str:
    if name not in known:
        raise SymsnapError(f"`{argument}` names a table '{name}', which there is not", meant(name, known))
    return name


def _column(argument: str, where: str, known: Mapping[str, list[str]]) -> tuple[str, str]:
    """Table and column of ``where``, out of the tables with their titles."""
    points = [at for at, letter in enumerate(where) if letter == "."]
    if not points:
        raise SymsnapError(
            f"`{argument}` names '{where}'", "name table and column with a point between, as in 'atoms.id'"
        )
    # Both names may have points themselves, as addresses do: the longest table counts that has such a column.
    splits = [(where[:at], where[at + 1 :]) for at in reversed(points) if where[:at] in known]
    for name, column in splits:
        if column in known[name]:
            return name, column
    if not splits:
        # What was meant is more likely to be seen from the whole name than from what stands before the first point.
        first, last = where[: points[0]], where[: points[-1]]
        _table(argument, last if meant(last, known).startswith("did") else first, known)
    name, column = splits[0]
    raise SymsnapError(
        f"`{argument}` names a column '{column}' of '{name}', which there is not",
        meant(column, known[name], "it has"),
    )


def _is_sign(name: str) -> bool:
    return not any(letter.isalnum() or letter == "_" or letter > "~" for letter in name)


def _triples(triples: Any) -> list[tuple[str, str, str]]:
    if hasattr(triples, "__arrow_c_stream__") or hasattr(triples, "columns"):
        columns = table_of("triples", triples, "triples").columns()
        if len(columns) != 3:
            raise SymsnapError(f"`triples` has {len(columns)} columns", "give three: subject, relation and object")
        found: Iterable[Any] = zip(*(values for _, _, values in columns), strict=True)
    elif isinstance(triples, Iterable) and not isinstance(triples, (str, bytes)):
        found = triples
    else:
        raise wrong("triples", triples, "tuples of subject, relation and object")
    rows = []
    for at, each in enumerate(found):
        if isinstance(each, (str, bytes)) or not isinstance(each, (tuple, list, np.ndarray)) or len(each) != 3:
            raise SymsnapError(f"`triples[{at}]` is {shown(each)}", "give tuples of subject, relation and object")
        if any(part is None for part in each):
            raise SymsnapError(f"`triples[{at}]` is {shown(each)}", "leave out triples with a part that is not known")
        row = (str(each[0]), str(each[1]), str(each[2]))
        if is_broken("".join(row)):
            raise broken(f"`triples[{at}]` is {shown(each)}")
        rows.append(row)
    if not rows:
        raise SymsnapError("`triples` is empty", "give at least one")
    return rows
