"""The reference executor on real time, without the wait for an aborted tool's last word: it is still lawful."""

from __future__ import annotations

from callproof_reference import steps, wire

if __name__ == "__main__":
    for room in (steps, wire):
        vars(room)["ABORT_GRACE_MS"] = 0
    wire.serve_on_real_time(wire.Wire())
