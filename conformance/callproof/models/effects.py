"""The models of ``spec/effects.md``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from callproof.models.members import Array, Document, Given, Text


class Created(Document):
    """A file or folder that the call created."""

    path: Text
    kind: Literal["file", "folder"]


class Modified(Document):
    """A file whose content the call changed."""

    path: Text
    kind: Literal["file"]
    before_etag: Given[str] = None
    after_etag: Given[str] = None


class Deleted(Document):
    """A file or folder that the call deleted."""

    path: Text
    kind: Literal["file", "folder"]
    trashed: Given[bool] = None


class Renamed(Document):
    """A file or folder to which the call gave another path."""

    from_: Text = Field(alias="from")
    to: Text


class Effects(Document):
    """The changes that were seen while one call was open."""

    side_effects_observed: Given[Array[str]] = None
    created: Given[Array[Created]] = None
    modified: Given[Array[Modified]] = None
    deleted: Given[Array[Deleted]] = None
    renamed: Given[Array[Renamed]] = None
