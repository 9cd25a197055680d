"""``callproof-reference pipeline``: what the suite may ask of it on standard input and output, case after case."""

from contextlib import suppress
from threading import Thread
from typing import cast

import click

from callproof_reference.peers.peer import Peer, Pipes
from callproof_reference.pipelines.batch import Batch
from callproof_reference.run import VERSION
from callproof_reference.values import Object
from callproof_reference.wire import Wire

_FEATURES = """concurrent serial ordered siblings otherNames deferred blocked validate preHook hookDecisions permission
    updatedInput mapping postHook persistence progress abort contextModifiers"""
_NAME = {"name": "callproof-reference pipeline", "version": VERSION, "language": "python"}


class Service:
    """A pipeline on a wire."""

    features = _FEATURES

    def __init__(self, wire: Pipes, kind: type[Batch] = Batch) -> None:
        self._kind, self._batch = kind, cast("Batch | None", None)
        methods = {"initialize": self._initialize, "pipeline/start": self._start, "pipeline/abort": self._abort}
        self.peer = Peer(wire, {**methods, "tool/progress": self._progress, "shutdown": self._shutdown})

    def _initialize(self, _params: Object) -> Object:
        spoken = {"protocol": "pipeline", "protocolVersion": "1.0"}
        return {**spoken, "implementation": _NAME, "claims": {"features": self.features.split()}}

    def _start(self, params: Object) -> Object:
        self._batch = self._kind(self.peer, params)
        self.peer.begun.append(Thread(target=self._batch.run, daemon=True).start)
        return {}

    def _abort(self, params: Object) -> Object:
        if self._batch:
            every = [each.id for each in self._batch.invocations]
            self._batch.stop([str(params["invocation_id"])] if "invocation_id" in params else every, "canceled")
        return {}

    def _progress(self, params: Object) -> Object:
        if self._batch:
            self._batch.progress(str(params["invocation_id"]))
        return {}

    def _shutdown(self, _params: Object) -> Object:
        return {}


@click.command(short_help="Speak the adapter protocol of pipelines.")
def pipeline() -> None:
    """Speak the adapter protocol of pipelines over standard input and output."""
    with suppress(BrokenPipeError):  # the program that judged us has gone
        Service(Wire()).peer.serve()
