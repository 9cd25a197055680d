"""``callproof invocation``."""

from __future__ import annotations

from callproof.cli.driven import judging


@judging("invocation")
def invocation_command() -> None:
    """Judge a live system under the invocation contract.

    ADAPTER says how to reach it, as for `callproof test`: "stdio:COMMAND ARGS", "python:package.module:factory" or
    "http://HOST/". The suite plays the planner, the profiles, the tools and the providers; the system speaks the
    adapter protocol of the invocation contract.
    """
