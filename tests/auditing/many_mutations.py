"""Compare the prover with the checks over as many changed logs as there is time for; run by hand.

    python tests/auditing/many_mutations.py FIRST COUNT [FOLDER OF RUN FOLDERS]

Uses seeds FIRST to FIRST + COUNT - 1, on the example runs and their permitted variations or on other logs, and on
what other systems would have written of the same runs.  Each seed makes one log with changes at random and one on
another course.  Prints every acceptance that the checks do not share with its seed, and every error of the
prover's own; a line every thousand seeds shows the progress.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from auditing.courses import on_another_course
from auditing.edited_logs import lawful_logs
from auditing.mutations import mutated
from auditing.other_logs import kinds_of
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import prove
from callproof.auditing.prover.proving import UNREADABLE, proved_case
from callproof.auditing.prover.unproved import Unproved
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in

EXAMPLES = Path(__file__).parents[2] / "spec" / "examples"


def differs(run: CapturedRun) -> str | None:
    """How the audit of a proved run differs from that by the checks; None if it does not."""
    fast, slow = audit_run(run), audit_run(run, Rules(fast_path=False))
    if fast == slow:
        return None
    return f"broken {sorted(slow.broken)}, kept by one of them {sorted(fast.kept ^ slow.kept)}"


def is_proved(run: CapturedRun) -> bool:
    """Whether a run is proved; any other exception of the prover is a fault of its own, and is not caught."""
    try:
        proved_case(run)
    except (Unproved, *UNREADABLE):
        return False
    return True


def told_of(changed: CapturedRun) -> str | None:
    """What is wrong with the acceptance of a run; empty if it is right, None if the run is handed over."""
    try:
        if not is_proved(changed):
            return None
    except Exception as error:  # noqa: BLE001  a fault of the prover's own, which is told like the others
        return f"threw {error!r}"
    return differs(changed) or ""


def bases_in(folder: Path) -> list[CapturedRun]:
    """The logs to begin with: those of the folder as several systems would write them, if they are proved."""
    captured = (captured_in(each.parent) for each in sorted(folder.glob("*/run.json")))
    kinds = [run for each in captured for run in kinds_of(each)]
    if folder == EXAMPLES:
        kinds += [run for _, run in lawful_logs()]
    return [run for run in kinds if prove(run) is not None]


def main(first: int, count: int, folder: Path) -> None:
    """Change, prove, compare."""
    bases = bases_in(folder)
    accepted = wrong = 0
    for seed in range(first, first + count):
        for change in (mutated, on_another_course):
            told = told_of(change(bases[seed % len(bases)], seed))
            accepted += told is not None
            if told:
                wrong += 1
                print(f"seed {seed}, {change.__name__}: {told}", flush=True)
        if (seed - first + 1) % 1000 == 0 or seed == first + count - 1:
            done = 2 * (seed - first + 1)
            print(f"{done} mutations of {len(bases)} logs, {accepted} accepted, {wrong} wrongly", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else EXAMPLES)
