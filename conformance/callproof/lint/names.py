"""Names of tools and members, taken apart into words, and what some of the words mean."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SEPARATORS = re.compile(r"[\W_]+")  # letters of every script are no separators

# Words that begin the name of a tool: those that change something, and those that only look.
WRITING = frozenset(
    {
        "add", "append", "archive", "assign", "clear", "commit", "create", "delete", "deploy", "disable", "drop",
        "edit", "enable", "erase", "insert", "install", "kill", "merge", "modify", "move", "mv", "overwrite", "patch",
        "post", "publish", "purge", "push", "put", "remove", "rename", "replace", "reset", "restart", "restore",
        "revoke", "rm", "save", "send", "set", "submit", "truncate", "uninstall", "unlink", "update", "upload",
        "upsert", "write",
    }
)  # fmt: skip
READING = frozenset(
    {
        "analyze", "ask", "audit", "browse", "calculate", "check", "compare", "compute", "count", "describe",
        "detect", "diff", "estimate", "explain", "fetch", "filter", "find", "format", "get", "grep", "has", "inspect",
        "is", "list", "load", "lookup", "match", "parse", "peek", "preview", "query", "read", "resolve", "retrieve",
        "search", "select", "show", "slugify", "stat", "summarize", "suggest", "test", "validate", "verify", "view",
        "watch",
    }
)  # fmt: skip
MOVING = frozenset({"rename", "move", "mv"})
_FILE_WORDS = frozenset({"file", "files", "folder", "directory", "dir", "note", "document", "doc", "path"})
# Words that make a path one of something else than a file.
_OTHER_PATHS = frozenset({"json", "xml", "x", "url", "uri", "api", "http", "jq", "route", "request", "endpoint", "web"})
_PATH_WORDS = frozenset({"path", "filepath", "filename", "pathname", "dirpath", "folderpath"})
_PATHS_WORDS = frozenset({"paths", "filepaths", "filenames", "pathnames"})


@lru_cache(maxsize=65_536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in any casing, in lower case: ``readFile``, ``read_file`` and ``read-file`` have the same."""
    return tuple(each.lower() for each in _WORD.findall(name))


def folded(name: str) -> str:
    """A name without its case and the signs between its words."""
    return _SEPARATORS.sub("", name.lower())


def camel(name: str) -> str:
    """A name in camel case."""
    first, *rest = words(name) or ("",)
    return first + "".join(each.capitalize() for each in rest)


def verb(name: str) -> str:
    """The first word of a tool's name that is a known verb; empty if there is none."""
    return next((each for each in words(name) if each in WRITING or each in READING), "")


def is_path(name: str) -> bool:
    """Whether a member of this name holds one path of a file or folder."""
    told = words(name)
    if not told or _OTHER_PATHS & {*told[:-1]}:
        return False
    return told[-1] in _PATH_WORDS or told[-2:] == ("file", "name")


def is_file(name: str) -> bool:
    """Whether a member of this name is a file or a folder, by its path or otherwise; False for the name of a path."""
    return bool((_FILE_WORDS - {"files"}).intersection(words(name)[-1:])) and not is_path(name)


def are_paths(name: str) -> bool:
    """Whether a member of this name holds several paths."""
    told = words(name)
    if not told or _OTHER_PATHS & {*told[:-1]}:
        return False
    return told[-1] in _PATHS_WORDS or told[-2:] == ("file", "names")


def speaks_of_files(name: str) -> bool:
    """Whether a name has a word for a file or a folder."""
    return bool(_FILE_WORDS & {*words(name)}) or is_path(name)
