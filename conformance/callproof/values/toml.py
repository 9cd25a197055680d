"""TOML of a user: a file of settings as a table, and one of its values as the author wrote it."""

from __future__ import annotations

import tomllib
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from callproof.values.neighbours import nearest_path


class NotToml(ValueError):
    """A file cannot be read as TOML; the text says which file, and why."""


def read_toml(path: Path) -> tuple[str, Mapping[str, Any]]:
    """The text of a file, and its tables.  Raises NotToml."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise NotToml(f"{path} cannot be read: {error.strerror}{nearest_path(path)}") from None
    if raw.startswith(BOM_UTF8):
        raise NotToml(f"{path} is not TOML: it starts with a byte order mark; save it as UTF-8 without one")
    try:
        text = raw.decode("utf-8")
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise NotToml(f"{path} is not TOML: it is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:  # a plain ValueError if a number has thousands of digits
        raise NotToml(f"{path} is not TOML: {error}") from None


def toml_word(value: object) -> str:
    """A value as its author may have written it: ``true`` and not ``True``."""
    if isinstance(value, list):
        return f"[{', '.join(map(toml_word, cast('list[object]', value)))}]"
    return str(value).lower() if isinstance(value, bool) else repr(value)
