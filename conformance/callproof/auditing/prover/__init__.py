"""The prover: it accepts a run only where the checks would find nothing, and hands every other run to them.

One door, ``prove``.  Sound, not complete: where anything is out of the ordinary, it proves nothing, and the
checks decide.  They are the law; nothing here accuses anybody.
"""

from __future__ import annotations

from callproof.auditing.prover.proving import Proof, prove

__all__ = ["Proof", "prove"]
