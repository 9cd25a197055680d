"""The recipe for Spark, run as its README says on a Spark of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from log_edits import BASES, Edit, apply, copy_of
from mixed_logs import written

RECIPE = Path(__file__).parents[2] / "examples" / "spark" / "audit.py"


def test_the_recipe_prints_the_report_of_one_process(tmp_path: Path) -> None:
    """Same findings, same order, same bytes, and no run is lost in the shuffle."""
    broken = copy_of("linear", tmp_path / "linear")
    apply(Edit("calls 2", {"attempt": 7}), broken)
    apply(Edit("results 1", {"text": '{"runId": "run-linear", "status": '}), broken)
    sound = ["cancelled", "foreach", "incomplete", "references", "refused", "retried", "timeout"]
    path = written("shared", [broken, *(BASES / name for name in sound)], tmp_path)
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    spark = subprocess.run([sys.executable, str(RECIPE), str(path)], capture_output=True, env=environment)
    one = subprocess.run(
        [str(Path(sys.executable).parent / "callproof"), "audit", str(path), "--format", "json"], capture_output=True
    )
    assert one.returncode == 1
    assert spark.stdout == one.stdout, spark.stderr.decode()[-3_000:]
