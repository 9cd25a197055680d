"""Audit files with many runs on a Spark cluster: each line is a row, grouped by run, each run audited where it is."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path

import pandas as pd
from callproof.auditing.one_run import audit_run
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.rows import Row, rows_in, run_of_rows
from callproof.commands.audit import Audit, Reading
from callproof.report.document import document, json_text
from pyspark.sql import SparkSession

FOLDER = Path(sys.argv[1])
FILES = [FOLDER / name for name in ("runs.jsonl", "calls.jsonl", "results.jsonl", "events.jsonl")]


def lines(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """The lines of some files as rows."""
    for rows in (rows_in(Path(path)) for frame in frames for path in frame.path):
        yield from (pd.DataFrame(chunk) for chunk in iter(lambda rows=rows: list(islice(rows, 10_000)), []))


def audits(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Each run audited, with the line of its last event, which puts the runs of one process in order."""
    rows = (Row(*each) for frame in frames for each in frame.itertuples(index=False))
    for _, mine in groupby(rows, key=lambda row: row.run):
        run = list(mine)
        ended = max((row.line for row in run if row.file == FILES[-1].name), default=sys.maxsize)
        yield pd.DataFrame([(ended, pickle.dumps(audit_run(run_of_rows(run, str(FOLDER)))))])


spark = SparkSession.builder.appName("callproof").getOrCreate()
files = spark.createDataFrame([(str(path),) for path in FILES if path.exists()], "path string")
read = files.repartition(len(FILES)).mapInPandas(lines, "run binary, file string, line long, text binary")
grouped = read.repartition("run").sortWithinPartitions("run", "file", "line")
reading = Reading(Audit((FOLDER,)))
for each in grouped.mapInPandas(audits, "ended long, audited binary").orderBy("ended").toLocalIterator():
    reading.add(pickle.loads(each.audited))  # noqa: S301  the workers are ours
notes = tuple(each.says for each in inputs_at((FOLDER,)))
sys.stdout.write(json_text(document(reading.judgement(notes=notes))))
