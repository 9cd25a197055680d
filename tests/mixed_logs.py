"""The runs of some log folders, written in the other forms of a log: files that they share, or one stream."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from callproof.auditlog.compressed import zstd
from callproof.auditlog.layout import FILES, RUN_FILE, SHARED_FILES
from callproof.trace.records import Kind

Line = tuple[Kind, bytes]


def lines_of(folder: Path) -> list[Line]:
    """The records of a run as lines with their kinds, its run record first, the others file by file."""
    record = json.dumps(json.loads((folder / RUN_FILE).read_bytes()), ensure_ascii=False).encode()
    rest = [(kind, raw) for kind, name in FILES.items() for raw in _raw(folder / name)]
    return [(Kind.RUN, record), *rest]


def in_turns(runs: Sequence[Sequence[Line]]) -> list[Line]:
    """A line of each run in turn, until all are written."""
    longest = max(map(len, runs))
    return [run[place] for place in range(longest) for run in runs if place < len(run)]


def share(lines: Sequence[Line], folder: Path) -> Path:
    """Lines as files that their runs share."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, name in SHARED_FILES.items():
        mine = [raw + b"\n" for each, raw in lines if each is kind]
        if mine or kind is not Kind.EVENT:
            (folder / name).write_bytes(b"".join(mine))
    return folder


def stream(lines: Sequence[Line], path: Path) -> Path:
    """Lines as one stream."""
    wrapped = (b'{"kind":"%s","record":%s}\n' % (kind.value.encode(), raw) for kind, raw in lines)
    path.write_bytes(b"".join(wrapped))
    return path


def compress(path: Path, suffix: str) -> Path:
    """Replace a file, or each file of a folder, by its compressed form; the path of the file or folder."""
    pack = {".gz": gzip.compress, ".zst": zstd.compress}[suffix]
    for each in list(path.iterdir()) if path.is_dir() else [path]:
        each.with_name(each.name + suffix).write_bytes(pack(each.read_bytes()))
        each.unlink()
    return path if path.is_dir() else path.with_name(path.name + suffix)


def written(form: str, folders: Sequence[Path], where: Path) -> Path:
    """The runs of some folders in a form: ``shared`` or ``stream``, either also with ``.gz`` or ``.zst`` after it."""
    what, dot, suffix = form.partition(".")
    lines = in_turns([lines_of(folder) for folder in folders])
    path = share(lines, where / what) if what == "shared" else stream(lines, where / "records.jsonl")
    return compress(path, dot + suffix) if dot else path


def _raw(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []
