"""The command line: run a plan on a folder, or speak the adapter protocol.

Exit codes: 0 the run went well, 1 it did not, 2 nothing was executed, 130 it was interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TextIO, cast

from callproof_reference.clock import RealClock
from callproof_reference.faults import Fault, Refused
from callproof_reference.jsontext import Json, NotJson, Object, as_object, read_strictly
from callproof_reference.plan import Plan, prepare
from callproof_reference.records import VERSION
from callproof_reference.run import Run, Setting
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Promise, Turns, kept
from callproof_reference.wire import serve, standard

_DEFAULT_POLICY: Object = {
    "confirmationsRequired": True,
    "sandbox": {"enabled": True, "allowedRoots": ["/"], "denyPatterns": ["..", "://"]},
    "limits": {"maxConcurrency": 4, "maxAttempts": 3, "maxTimeoutMs": 60000},
}
_LONGEST_NAP = 0.05  # seconds between two looks at whether somebody pressed Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `callproof-reference`; returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.command == "stdio":
        try:
            serve(standard())
        except BrokenPipeError:  # whoever judged us has gone, and there is nobody left to tell
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    try:
        return _run(options)
    except Refused as refused:
        given = {"plan": options.plan, "policy": options.policy, "root": options.root, "audit folder": options.audit}
        faults = "".join(f"\n  {_shown(str(fault))}" for fault in refused.faults)
        place = given[refused.subject] or "the default"
        _say(f"{place}: the {refused.subject} cannot be used{faults}\nNothing was executed.", sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="callproof-reference", description="The reference executor of the callproof specification."
    )
    parser.add_argument("--version", action="version", version=f"callproof-reference {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run a plan on a folder and leave an audit log")
    run.add_argument("plan", type=Path, metavar="PLAN", help="the plan, a JSON file")
    run.add_argument("--root", type=Path, required=True, help="the folder that the tools work on")
    run.add_argument("--audit", type=Path, required=True, help="the folder for the audit log, which holds none yet")
    run.add_argument("--policy", type=Path, help="the policy, a JSON file; without it, one that asks before it runs")
    run.add_argument("--yes", action="store_true", help="approve the plan without being asked")
    commands.add_parser("stdio", help="speak the adapter protocol over standard input and output")
    return parser


def _run(options: argparse.Namespace) -> int:
    plan = _read("plan", options.plan)
    policy = _DEFAULT_POLICY if options.policy is None else _read("policy", options.policy)
    if not options.root.is_dir():
        raise Refused("root", [Fault("", "root", "there is no such folder")])
    descriptors = [cast("Object", {**tool.descriptor, "host": "system"}) for tool in REGISTRY.values()]
    prepared = prepare(plan, policy, descriptors, REGISTRY)
    asks = prepared.policy["confirmationsRequired"] is True and not options.yes
    if asks and not sys.stdin.isatty():
        why = "it wants the plan approved, and there is no terminal to ask at; --yes approves it"
        raise Refused("policy", [Fault("/confirmationsRequired", "no_terminal", why)])
    return _Session(prepared, options.root.resolve(), options.audit, asks=asks).carry_out()


def _read(subject: str, path: Path) -> Json:
    try:
        return read_strictly(path)
    except NotJson as problem:
        raise Refused(subject, [Fault("", "json", f"it {problem}")]) from None


class _Session:
    """One run in the foreground, on the real clock: the host of a run whose tools are all our own."""

    def __init__(self, plan: Plan, root: Path, audit: Path, *, asks: bool) -> None:
        self._plan, self._audit, self._asks = plan, audit, asks
        self._interrupted = False
        self._time, self._turns = RealClock(), Turns()
        setting = Setting(root=root, audit=audit, interrupted=lambda: self._interrupted)
        self._started = Run(plan, setting, self, self._time.clock, self._turns)

    def carry_out(self) -> int:
        """Run the plan to its end; Ctrl-C winds it down, and every record of that is written."""
        run, before = self._started, signal.signal(signal.SIGINT, self._interrupt)
        self._introduce()
        run.start()
        while run.status == "running":
            self._turns.settle()
            if run.asking and (decision := self._decision()):
                run.confirm(run.asking, decision)
            elif self._interrupted:
                run.cancel("interrupted")
            elif run.status == "running":
                self._time.wait(_LONGEST_NAP)
        signal.signal(signal.SIGINT, before)
        counts = ", ".join(f"{count} {status}" for status, count in sorted(run.records.counts.items()))
        _say(f"{run.status}: {counts}. The audit log is in {self._audit}")
        return 130 if self._interrupted else 0 if run.status == "ok" else 1

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._interrupted = True

    def _introduce(self) -> None:
        _say(f"Plan: {_shown(str(self._plan.source['goal']))}")
        for step in self._plan.steps:
            each = f", for each of {step.loop.source.text}" if step.loop else ""
            told = f"{step.id}: {step.tool.name} ({step.tool.risk_level}{each}) {step.preview or ''}"
            _say(f"  {_shown(told).rstrip()}")

    def _decision(self) -> str | None:
        """Ask the person at the terminal; no answer is no, and Ctrl-C is no decision at all (A83)."""
        if self._interrupted or not self._asks:
            return None if self._interrupted else "approved"
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            answer = input("Run this plan? [y/N] ").strip().lower()
        except (EOFError, KeyboardInterrupt) as end:
            self._interrupted = isinstance(end, KeyboardInterrupt)
            answer = ""
        signal.signal(signal.SIGINT, self._interrupt)
        return None if self._interrupted else "approved" if answer in ("y", "yes") else "rejected"

    def ask(self, method: str, params: Object) -> Promise[Object]:
        """Nobody is there to be asked."""
        return kept({"error": {"code": -32601, "message": f"{method} is not known"}})

    def tell(self, method: str, params: Object) -> None:
        """Show the results as they come."""
        if method == "record" and params["kind"] == "result":
            record = as_object(params["record"])
            place = f" [{as_object(record['iteration'])['index']}]" if "iteration" in record else ""
            said = f"{record['userMessage']} {as_object(record.get('error')).get('message', '')}"
            _say(f"  {record['status']:9} {record['stepId']}{place}: {_shown(said).rstrip()}")


def _say(text: str, stream: TextIO | None = None) -> None:
    try:
        print(text, file=stream or sys.stdout, flush=True)
    except BrokenPipeError:  # whoever listened has gone, which is no reason to leave a run in the middle (EVT-19)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shown(text: str) -> str:
    """Text from outside as a terminal may have it: nothing in it that acts."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


if __name__ == "__main__":
    sys.exit(main())
