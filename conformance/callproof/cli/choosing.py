"""Options that take one of a few words: the error for a wrong word names the nearest one."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # older versions of click cannot subscript it


class OneOf(_Choice):
    """One of some words; the error for any other word names the nearest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word.  Raises BadParameter for any other."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            nearest = difflib.get_close_matches(str(value).lower(), self.choices, n=1)
            hint = f"; did you mean {nearest[0]!r}?" if nearest else "."
            self.fail(error.message.removesuffix(".") + hint, param, ctx)
