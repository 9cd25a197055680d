"""Descriptors of the canonical tools that a system with the feature ``files`` provides (A69).

The suite's own reading of the tools' conventions: closed schemas, vault-relative
paths, ``dryRun`` where something changes, and the defaults that the conventions state.  What the tools do is
up to the system, except for what they are told to keep (EFF-26).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from callproof.values.jsontext import Json

Object = Mapping[str, Json]

_PATH: Object = {"type": "string", "minLength": 1}
_TEXT: Object = {"type": "string"}
_FLAG: Object = {"type": "boolean"}
_YES: Object = {"type": "boolean", "default": True}
_COUNT: Object = {"type": "integer", "minimum": 0}
_STAMPS: Object = {"etag": {"type": "string", "minLength": 1}, "mtimeMs": _COUNT}
_CHANGING: Object = {"dryRun": _FLAG, "note": _TEXT}


def _object(properties: Object, required: Iterable[str]) -> Object:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _words(*values: str) -> Object:
    return {"type": "string", "enum": list(values)}


def _reading(name: str, takes: Object, gives: Object) -> Object:
    return _tool(name, "read-only", (), takes, gives)


def _writing(name: str, kinds: Iterable[str], takes: Object, gives: Object) -> Object:
    return _tool(name, "writes", kinds, takes, gives)


def _tool(name: str, risk: str, kinds: Iterable[str], takes: Object, gives: Object) -> Object:
    return {
        "name": name,
        "description": f"The canonical tool {name}",
        "inputSchema": takes,
        "outputSchema": gives,
        "riskLevel": risk,
        "category": name.partition(".")[0],
        "sideEffects": list(kinds),
        "availability": {"when": "always"},
        "host": "system",
    }


_PATCH: Object = {
    "type": "object",
    "properties": {"replaceRange": _object({"start": _COUNT, "end": _COUNT, "text": _TEXT}, ("start", "end", "text"))},
    "required": ["replaceRange"],
    "additionalProperties": False,
}
_FILE_ENTRY = _object(
    {"path": _PATH, "kind": _words("file", "folder"), "sizeBytes": _COUNT, "ctimeMs": _COUNT, **_STAMPS},
    ("path", "kind"),
)

ENSURE_FOLDER = _writing(
    "vault.ensureFolder",
    ("create-folder",),
    _object({"path": _PATH, **_CHANGING}, ("path",)),
    _object({"path": _PATH, "created": _FLAG}, ("path", "created")),
)
LIST_FILES = _reading(
    "vault.listFiles",
    _object(
        {
            "prefix": _TEXT,
            "recursive": _FLAG,
            "extensions": {"type": "array", "items": _TEXT},
            "limit": _COUNT,
            "offset": _COUNT,
        },
        (),
    ),
    _object(
        {"items": {"type": "array", "items": _FILE_ENTRY}, "nextOffset": _COUNT, "truncated": _FLAG},
        ("items", "truncated"),
    ),
)
READ_FILE = _reading(
    "vault.readFile",
    _object(
        {
            "path": _PATH,
            "maxBytes": _COUNT,
            "range": _object({"start": _COUNT, "end": _COUNT}, ("start", "end")),
            "as": _words("text", "base64"),
        },
        ("path",),
    ),
    _object({"path": _PATH, "content": _TEXT, "truncated": _FLAG, "encoding": _TEXT, **_STAMPS}, ("path", "content")),
)
CREATE_FILE = _writing(
    "vault.createFile",
    ("create-file", "create-folder", "modify-file"),
    _object(
        {
            "path": _PATH,
            "content": _TEXT,
            "ifNotExists": _FLAG,
            "collisionStrategy": _words("error", "create-unique", "overwrite"),
            "frontmatter": {"type": "object"},
            **_CHANGING,
        },
        ("path", "content"),
    ),
    _object({"path": _PATH, "created": _FLAG, **_STAMPS}, ("path", "created")),
)
WRITE_FILE = _writing(
    "vault.writeFile",
    ("create-file", "create-folder", "modify-file"),
    _object(
        {"path": _PATH, "content": _TEXT, "mode": _words("overwrite", "append"), "expectedEtag": _PATH, **_CHANGING},
        ("path", "content"),
    ),
    _object({"path": _PATH, "bytesWritten": _COUNT, **_STAMPS}, ("path",)),
)
PATCH_FILE = _writing(
    "vault.patchFile",
    ("modify-file",),
    _object({"path": _PATH, "patch": _PATCH, "expectedEtag": _PATH, **_CHANGING}, ("path", "patch")),
    _object({"path": _PATH, "applied": _FLAG, **_STAMPS}, ("path", "applied")),
)
RENAME = _writing(
    "vault.rename",
    ("rename-file", "rename-folder", "create-folder", "delete-file"),
    _object(
        {
            "fromPath": _PATH,
            "toPath": _PATH,
            "collisionStrategy": _words("error", "overwrite", "create-unique"),
            **_CHANGING,
        },
        ("fromPath", "toPath"),
    ),
    _object({"fromPath": _PATH, "toPath": _PATH}, ("fromPath", "toPath")),
)
DELETE = _writing(
    "vault.delete",
    ("delete-file", "delete-folder"),
    _object({"path": _PATH, "trash": _YES, "requireExists": _YES, **_CHANGING}, ("path",)),
    _object({"path": _PATH, "deleted": _FLAG, "trashed": _FLAG}, ("path", "deleted")),
)
SEARCH_TEXT = _reading(
    "vault.searchText",
    _object(
        {
            "query": _TEXT,
            "mode": _words("plain", "regex"),
            "paths": {"type": "array", "items": _PATH},
            "caseSensitive": _FLAG,
            "limit": _COUNT,
            "snippetLength": _COUNT,
        },
        ("query",),
    ),
    _object(
        {
            "matches": {
                "type": "array",
                "items": _object(
                    {"path": _PATH, "line": _COUNT, "start": _COUNT, "end": _COUNT, "snippet": _TEXT},
                    ("path", "snippet"),
                ),
            },
            "truncated": _FLAG,
        },
        ("matches", "truncated"),
    ),
)

CANONICAL_TOOLS: tuple[Object, ...] = (
    ENSURE_FOLDER,
    LIST_FILES,
    READ_FILE,
    CREATE_FILE,
    WRITE_FILE,
    PATCH_FILE,
    RENAME,
    DELETE,
    SEARCH_TEXT,
)
