"""Compressed files: read while they are unpacked, within limits, and never called whole when they are not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from callproof import limits
from callproof.auditing.one_run import audit_run
from callproof.auditlog.compressed import open_text, zstd
from callproof.auditlog.files import NotReadable
from callproof.auditlog.folder import captured_in
from callproof.auditlog.inputs import NothingToJudge, inputs_at
from callproof.judge.judgement import RunOutcome
from log_edits import BASES, copy_of
from mixed_logs import compress, written

PACK = {".gz": gzip.compress, ".zst": zstd.compress}
SUFFIXES = sorted(PACK)


def outcomes(path: Path) -> set[RunOutcome]:
    """What the runs of a path came to."""
    (found,) = inputs_at([path])
    return {audit_run(run.captured()).run.outcome for run in found.runs()}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_file_of_a_folder_may_be_compressed(suffix: str, tmp_path: Path) -> None:
    """A log that was compressed is the same log."""
    folder = copy_of("linear", tmp_path / "log")
    assert outcomes(compress(folder, suffix)) == {RunOutcome.CONSISTENT}
    assert all(path.suffix == suffix for path in folder.iterdir())


@pytest.mark.parametrize("name", ["run.json", "calls.jsonl", "events.jsonl"])
def test_a_file_that_is_there_twice_is_not_read(name: str, tmp_path: Path) -> None:
    """Nothing shows which of the two is the log, so neither is called good (LOG-21)."""
    folder = copy_of("linear", tmp_path / "log")
    (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    run = audit_run(captured_in(folder))
    assert run.run.outcome is RunOutcome.UNREAD
    assert f"as {name} and as {name}.gz" in run.run.notes[0]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("form", ["shared", "stream"])
def test_a_compressed_log_cut_at_any_byte_is_never_called_whole(suffix: str, form: str, tmp_path: Path) -> None:
    """A file that ends before its own end leaves every run unread, or is refused."""
    path = written(form + suffix, [BASES / "linear", BASES / "retried"], tmp_path)
    file = path / f"results.jsonl{suffix}" if path.is_dir() else path
    whole = file.read_bytes()
    for length in range(0, len(whole), 1 + len(whole) // 11):
        file.write_bytes(whole[:length])
        try:
            assert outcomes(path) <= {RunOutcome.UNREAD, RunOutcome.VIOLATIONS}, length
        except NothingToJudge:
            assert form == "stream"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_bomb_is_not_unpacked(suffix: str, tmp_path: Path) -> None:
    """A few kilobytes that unpack to gigabytes are left alone as soon as they pass the ratio (SEC-14)."""
    path = tmp_path / f"calls.jsonl{suffix}"
    path.write_bytes(PACK[suffix](b"{}" + b" " * (40 * limits.MIB)))
    read: list[int] = []
    with open_text(path) as stream, pytest.raises(NotReadable, match="unpacks to more than 250 times its size"):
        read.extend(map(len, iter(lambda: stream.read(limits.MIB), b"")))
    assert sum(read) < limits.UNPACKED_FREELY_BYTES + limits.UNPACKED_RATIO * path.stat().st_size + limits.MIB


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_bomb_in_a_folder_leaves_its_run_unread(suffix: str, tmp_path: Path) -> None:
    """The other files are judged, and nothing is called good."""
    folder = copy_of("linear", tmp_path / "log")
    (folder / "events.jsonl").rename(folder / "events")
    (folder / f"events.jsonl{suffix}").write_bytes(PACK[suffix](b" " * (40 * limits.MIB)))
    assert outcomes(folder) == {RunOutcome.UNREAD}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_text_at_a_limit_is_unpacked_and_a_byte_more_is_not(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both limits are exact: the bytes in all, and the bytes beyond the ratio."""
    path = tmp_path / f"calls.jsonl{suffix}"
    path.write_bytes(PACK[suffix](b" " * 10_000))
    for name, others in (("LOG_FILE_BYTES", {}), ("UNPACKED_FREELY_BYTES", {"UNPACKED_RATIO": 0})):
        for limit, fits in ((10_000, True), (9_999, False)):
            with monkeypatch.context() as patch:
                for each, value in {name: limit, **others}.items():
                    patch.setattr(limits, each, value)
                assert _unpacks(path) is fits, (name, limit)


def _unpacks(path: Path) -> bool:
    try:
        with open_text(path) as stream:
            return len(stream.read()) == 10_000
    except NotReadable:
        return False


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", [b"", b"{}", b"\x1f", b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08" + b"\x00" * 40])
def test_what_is_not_compressed_as_its_name_says_is_not_readable(suffix: str, content: bytes, tmp_path: Path) -> None:
    """An empty file, plain text, the other form, garbage after the right beginning: each is an error, no traceback."""
    path = tmp_path / f"calls.jsonl{suffix}"
    path.write_bytes(content)
    with pytest.raises(NotReadable, match=r"is not|is not a sound"), open_text(path) as stream:
        stream.read()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_compressed_stream_is_known_by_its_first_bytes(suffix: str, tmp_path: Path) -> None:
    """Its name need not show that it is compressed."""
    path = written(f"stream{suffix}", [BASES / "linear"], tmp_path)
    plain = path.rename(tmp_path / "night.log")
    assert outcomes(plain) == {RunOutcome.CONSISTENT}
