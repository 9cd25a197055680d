"""The reference executor on real time, which waits for no tool's last word: a lawful system that is in a hurry."""

from __future__ import annotations

from callproof_reference import steps, wire

if __name__ == "__main__":
    for room in (steps, wire):
        vars(room)["ABORT_GRACE_MS"] = 0
    wire.serve_on_real_time(wire.Wire())
