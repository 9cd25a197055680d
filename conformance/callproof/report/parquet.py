"""A table of rows as one Parquet file, for programs that query tables.  Only this module uses pyarrow, an extra.

Rows are written in blocks as they come, so ten million take no more memory than ten thousand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from callproof.report.whole import is_printed

_ROWS_IN_A_BLOCK = 10_000
_KINDS = {str: "string", int: "int64"}

Row = Mapping[str, str | int | None]


class CannotWriteTable(ValueError):
    """A table cannot be written; the text says why, and what to do."""


class Table:
    """
    A Parquet file while it is written.  It appears at its path only when it is complete.

    ``columns`` are names with their types, str or int; every cell may be empty.  Raises CannotWriteTable at once, or at
    the end: the caller that makes the rows also reports other things, and a full disk must not stop it.
    """

    def __init__(self, path: Path, columns: Mapping[str, type[str] | type[int]]) -> None:
        if not path.name or is_printed(str(path)):
            raise CannotWriteTable(f"{str(path)!r} names no file; permitted: the path of one, such as summary.parquet")
        if os.path.exists(path) and not os.path.isfile(path):
            raise CannotWriteTable(f"{path} is not a regular file; permitted: the path of one, or a new one")
        self._path = path
        self._file = Path(os.path.realpath(path))  # where the link leads, which stays a link
        self._unfinished = self._file.with_name(f".{self._file.name}.{os.getpid()}")
        self._arrow = _arrow()
        self._schema = self._arrow.schema([(name, _KINDS[kind]) for name, kind in columns.items()])
        self._rows: list[Row] = []
        self._failure = ""
        try:
            self._writer: Any = import_module("pyarrow.parquet").ParquetWriter(self._unfinished, self._schema)
        except OSError as error:
            raise CannotWriteTable(f"{path} cannot be written: {error.strerror or error}") from None

    def add(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        self._rows.extend(rows)
        if len(self._rows) >= _ROWS_IN_A_BLOCK:
            self._write()

    def _write(self) -> None:
        told = {name: [_clean(row.get(name)) for row in self._rows] for name in self._schema.names}
        self._rows.clear()
        if not self._failure:
            self._attempt(lambda: self._writer.write_table(self._arrow.table(told, schema=self._schema)))

    def _attempt(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            self._failure = self._failure or f"{self._path} cannot be written: {error.strerror or error}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._write()
        self._attempt(self._writer.close)
        if kind is None and not self._failure:
            self._attempt(lambda: self._unfinished.replace(self._file))
        self._unfinished.unlink(missing_ok=True)
        if kind is None and self._failure:
            raise CannotWriteTable(self._failure)


def _arrow() -> Any:
    try:
        return import_module("pyarrow")
    except ModuleNotFoundError:
        raise CannotWriteTable("pyarrow is not installed: pip install 'callproof[parquet]'") from None


def _clean(cell: str | int | None) -> str | int | None:
    """A cell that UTF-8 can hold: lone surrogates, which names of files may have, are written as escapes."""
    return cell.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(cell, str) else cell
