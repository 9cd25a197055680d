"""The prover: it accepts a run only if the checks would find nothing, and hands every other run over to them.

Its only entry is ``prove``.  It is sound, not complete: if anything is out of the ordinary, it proves nothing, and
the checks decide.  They are the law; the prover never reports a fault.
"""

from __future__ import annotations

from callproof.auditing.prover.proving import Proof, prove

__all__ = ["Proof", "prove"]
