"""The reference executor, which claims to wait for the last word of an aborted tool, and does not."""

from __future__ import annotations

from callproof_reference import steps, wire

if __name__ == "__main__":
    vars(steps)["ABORT_GRACE_MS"] = 0
    wire.serve(wire.Wire())
