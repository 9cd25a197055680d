"""``callproof pipeline``."""

from __future__ import annotations

from callproof.cli.driven import judging


@judging("pipeline")
def pipeline_command() -> None:
    """Judge a live pipeline of tool calls.

    ADAPTER says how to reach it, as for `callproof test`: "stdio:COMMAND ARGS", "python:package.module:factory" or
    "http://HOST/". The suite plays the model, the tools, the hooks, the people and the store; the pipeline speaks the
    adapter protocol of pipelines.
    """
