"""Arguments that mean the same in every tool that takes them, and have one type each."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.lint.definition import Schema

# What an executor fills in, or an option of the call.
META: Mapping[str, str] = {"dryRun": "boolean", "note": "string", "requestId": "string"}
# What makes it safe to do the same thing twice.
SIGNALS: Mapping[str, str] = {"expectedEtag": "string", "ifNotExists": "boolean"}


def is_common(schema: Schema) -> bool:
    """Whether a schema belongs to such an argument; its tool is then not free to choose the type."""
    named = schema.within[-1] if schema.role == "input" and schema.within else ""
    whole = (*schema.root.resolved.within, "properties", named)
    return named in META.keys() | SIGNALS.keys() and schema.within == whole
