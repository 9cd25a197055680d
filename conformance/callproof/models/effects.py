"""The models of ``spec/effects.md``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from callproof.models.members import Array, Document, Text


class Created(Document):
    """A file or folder that the call created."""

    path: Text
    kind: Literal["file", "folder"]


class Modified(Document):
    """A file whose content the call changed."""

    path: Text
    kind: Literal["file"]
    before_etag: str | None = None
    after_etag: str | None = None


class Deleted(Document):
    """A file or folder that the call deleted."""

    path: Text
    kind: Literal["file", "folder"]
    trashed: bool | None = None


class Renamed(Document):
    """A file or folder to which the call gave another path."""

    from_: Text = Field(alias="from")
    to: Text


class Effects(Document):
    """The changes that were seen while one call was open."""

    side_effects_observed: Array[str] | None = None
    created: Array[Created] | None = None
    modified: Array[Modified] | None = None
    deleted: Array[Deleted] | None = None
    renamed: Array[Renamed] | None = None
