"""``callproof loop``."""

from __future__ import annotations

from callproof.cli.driven import judging


@judging("loop")
def loop_command() -> None:
    """Judge a live agent loop.

    ADAPTER says how to reach it, as for `callproof test`: "stdio:COMMAND ARGS", "python:package.module:factory" or
    "http://HOST/". The suite plays the model, the tools, the hooks and the user; the loop speaks the adapter protocol
    of agent loops.
    """
