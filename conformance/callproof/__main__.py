"""The entry points ``callproof`` and ``python -m callproof``.  Imports nothing before it can be interrupted."""

from __future__ import annotations

import sys


def main() -> None:
    """The command line.  An interruption while it is still being imported prints the same words as a later one."""
    try:
        from callproof.cli import main as command  # noqa: PLC0415  this import may be interrupted
    except KeyboardInterrupt:
        print("callproof: interrupted", file=sys.stderr)  # noqa: T201  click is not there yet
        sys.exit(130)
    command()


if __name__ == "__main__":
    main()
