"""Members that are times, by their names: which they are, and whether the name says a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.names import words

_ALONE = frozenset({"mtime", "ctime", "atime", "birthtime", "timestamp", "datetime"})
_DONE = frozenset(
    {
        "accessed", "added", "archived", "closed", "completed", "created", "deleted", "ended", "expired", "expires",
        "finished", "fired", "joined", "merged", "modified", "opened", "published", "pushed", "received", "resolved",
        "scheduled", "sent", "started", "updated", "uploaded",
    }
)  # fmt: skip
_UNITS = frozenset({"ms", "millis", "milliseconds", "s", "sec", "secs", "seconds", "ns", "us", "epoch", "unix"})
_SPEAKS_OF_TIME = re.compile(r"\b(?:times?|timestamps?|dates?|when|epoch|seconds|milliseconds)\b", re.IGNORECASE)
# The last two words of further names: a number of such a name is a point in time, while a text may be a day or an hour.
_ENDINGS = frozenset({
    ("last", "accessed"), ("last", "modified"), ("last", "seen"), ("last", "updated"), ("epoch", "time"),
    ("unix", "time"), ("modification", "time"), ("creation", "date"), ("due", "date"), ("end", "date"),
    ("expiration", "date"), ("expiry", "date"), ("modification", "date"), ("publication", "date"), ("start", "date"),
    *((done, word) for done in ("created", "modified", "updated") for word in ("date", "on")),
})  # fmt: skip
# A number of such a name may also count from the start of a recording or a run, which its description would mention.
_BOUNDS = frozenset({("start", "time"), ("end", "time")})
_SPEAKS_OF_AN_OFFSET = re.compile(
    r"\b(?:offsets?|relative|elapsed|(?:from|since) the (?:start|beginning)|into the|in (?:frames|beats)"
    r"|videos?|audios?|clips?|segments?|tracks?|songs?|episodes?|subtitles?|captions?|transcripts?|recordings?|media"
    r"|animations?|playback|timeline|simulat\w*)\b",
    re.IGNORECASE,
)
# A span of time is not a point in time.
_SPANS = frozenset({"duration", "elapsed", "timeout", "interval", "delay", "age", "uptime", "took", "latency", "ttl"})


def ends_in_ms(name: str) -> bool:
    """Whether a name ends in ``Ms``; after a capital letter it is the plural of an abbreviation, as in ``VMs``."""
    return name.endswith("Ms") and not name[:-2][-1:].isupper()


def is_time(name: str, schema: Schema) -> bool:
    """
    Whether a member is a point in time by its name, with or without a unit in it.

    A name such as ``created`` alone can be a count or a file as well; then the description must mention a time.
    """
    told = [each for each in words(name) if each not in _UNITS]
    if not told or _SPANS & {*told}:
        return False
    if told[-1] in _ALONE:
        return True
    if len(told) == 1 and told[0] in _DONE:
        text = schema.get("description")
        return isinstance(text, str) and _SPEAKS_OF_TIME.search(text) is not None
    return told[-1] in {"at", "time"} and len(told) > 1 and told[-2] in _DONE


def is_time_as_a_number(name: str, schema: Schema) -> bool:
    """Whether a member with no unit in its name is a point in time if it is a number, by further names."""
    told = words(name)
    if _SPANS & {*told}:
        return False
    return told[-2:] in _ENDINGS or (told[-2:] in _BOUNDS and not _is_of_a_recording(name, schema))


def _is_of_a_recording(name: str, schema: Schema) -> bool:
    """Whether a name or a description speaks of something that is played, so that a time may count from its start."""
    texts = (" ".join(words(name)), schema.get("description"), schema.tool.get("description"))
    spoken = [*texts, " ".join(words(schema.tool.name))]
    return any(isinstance(each, str) and _SPEAKS_OF_AN_OFFSET.search(each) for each in spoken)


def has_unit(name: str) -> bool:
    """Whether a name says its unit."""
    return bool(words(name)) and words(name)[-1] in _UNITS


def times(root: Schema) -> Iterator[tuple[str, Schema]]:
    """The members of a schema, at any depth, that are times by their name or their format."""
    for each in root.inside():
        for name, told in each.properties.items():
            taken = declared.named_types(told)
            counted = bool(taken & {"number", "integer"})
            dated = "string" in taken and (is_time(name, told) or told.resolved.get("format") == "date-time")
            if (counted and is_time(name, told)) or dated:
                yield name, told


def is_counted(told: Schema) -> bool:
    """Whether a time is a number."""
    return bool(declared.named_types(told) & {"number", "integer"})
