"""The command line. Exit codes: 0 the run went well, 1 it did not, 2 nothing was executed, 130 it was interrupted."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import cast

import click
from callproof.values.jsontext import NotStrictJson, read_json

from callproof_reference.invocations.command import invocation
from callproof_reference.loops.command import loop
from callproof_reference.pipelines.service import pipeline
from callproof_reference.plan import Plan
from callproof_reference.run import VERSION, Run, Setting
from callproof_reference.steps import carry_out
from callproof_reference.tools import REGISTRY
from callproof_reference.turns import Clock, Promise
from callproof_reference.values import Fault, Json, Object, Refused, as_object, size
from callproof_reference.wire import Wire, serve, serve_on_real_time

_DEFAULT_POLICY = Path(__file__).with_name("default_policy.json")
_PLACE = click.Path(path_type=Path)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group(commands=[loop, pipeline, invocation], context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="callproof-reference")
def main() -> None:
    """The reference executor of the callproof specification."""


@main.command()
@click.option("--real-time", is_flag=True, help="Let time pass by itself, and do not claim the virtual clock.")
def stdio(*, real_time: bool) -> None:
    """Speak the adapter protocol over standard input and output."""
    try:
        (serve_on_real_time if real_time else serve)(Wire())
    except BrokenPipeError:  # the program that judged us has gone, and nobody else reads this
        _mute()


@main.command()
@click.argument("plan", type=_PLACE)
@click.option("--root", type=_FOLDER, required=True, help="The folder that the tools work on.")
@click.option("--audit", type=_PLACE, required=True, help="The folder for the audit log, which holds none yet.")
@click.option("--policy", type=_PLACE, default=_DEFAULT_POLICY, help="A JSON file; default: a policy that asks first.")
@click.option("--yes", is_flag=True, help="Approve the plan without being asked.")
def run(plan: Path, root: Path, audit: Path, policy: Path, *, yes: bool) -> None:
    """Run PLAN, a JSON file, on a folder and leave an audit log."""
    try:
        prepared = Plan(_read("plan", plan), _read("policy", policy), [*REGISTRY.values()], REGISTRY)
        asks = prepared.policy["confirmationsRequired"] is True and not yes
        if asks and not sys.stdin.isatty():
            raise click.UsageError("confirmation is required, but there is no terminal to ask at; give it with --yes")
        session = _Session(prepared, root.resolve(), audit, asks=asks)
    except Refused as refused:
        place = {"plan": plan, "policy": policy, "audit folder": audit}[refused.subject]
        told = f"{place}: the {refused.subject} cannot be used", *(f"  {fault}" for fault in refused.faults)
        for line in (*told, "Nothing was executed."):
            _say(line, error=True)
        sys.exit(2)
    sys.exit(session.carry_out())


def _read(subject: str, path: Path) -> Json:
    try:
        value = cast("Json", read_json(path.read_bytes()))
        size(value)
    except (OSError, NotStrictJson) as flaw:
        why = flaw.strerror if isinstance(flaw, OSError) else flaw
        raise Refused(subject, [Fault("", "json", f"it cannot be read: {why}")]) from None
    return value


class _Session:
    """One run in the foreground, on the real clock: the host of a run whose tools are all our own."""

    def __init__(self, plan: Plan, root: Path, audit: Path, *, asks: bool) -> None:
        self._asks, self._interrupted, self._clock = asks, Promise[None](), Clock(virtual=False)
        setting = Setting(root=root, audit=audit, interrupted=lambda: self._interrupted.kept)
        self._run = Run(plan, setting, self, self._clock)

    def carry_out(self) -> int:
        """Run the plan to its end; Ctrl-C winds it down, and every record of that is written."""
        run = self._run
        signal.signal(signal.SIGINT, lambda _number, _frame: self._interrupted.keep(None))
        _say(f"Plan: {run.plan.source['goal']}")
        for step in run.plan.steps:
            each = f", for each of {step.loop.text}" if step.loop else ""
            _say(f"  {step.id}: {step.tool.name} ({step.tool.risk_level}{each}) {step.preview or ''}")
        self._clock.spawn(carry_out(run))
        while run.status == "running":
            self._clock.advance()
            if self._interrupted.kept:
                run.cancel("interrupted")
            elif run.asking and (decision := self._decision()):
                run.confirm(run.asking, decision)
            elif run.status == "running":
                time.sleep(self._clock.left(0.05))  # a Ctrl-C is handled after that at the latest
        counts = ", ".join(f"{count} {status}" for status, count in sorted(run.records.counts.items()))
        _say(f"{run.status}: {counts}. The audit log is in {run.setting.audit}")
        return 130 if self._interrupted.kept else 0 if run.status == "ok" else 1

    def _decision(self) -> str:
        """What the person at the terminal says; Ctrl-C and the end of input wind the run down undecided (A83)."""
        ours = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return "approved" if not self._asks or click.confirm("Run this plan?") else "rejected"
        except (click.Abort, KeyboardInterrupt):
            self._interrupted.keep(None)
            return ""
        finally:
            signal.signal(signal.SIGINT, ours)

    def ask(self, method: str, params: Object) -> Promise[Object]:
        return Promise[Object]().keep({"error": {"code": -32601, "message": f"nobody is there to ask for {method}"}})

    def tell(self, method: str, params: Object) -> None:
        if method == "record" and params["kind"] == "result":
            record = params["record"]
            place = f" [{record['iteration']['index']}]" if "iteration" in record else ""
            said = f"{record['userMessage']} {as_object(record.get('error')).get('message', '')}"
            _say(f"  {record['status']:9} {record['stepId']}{place}: {said}")


def _say(line: str, *, error: bool = False) -> None:
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line.rstrip(" "))
    try:
        print(line, file=sys.stderr if error else sys.stdout, flush=True)
    except BrokenPipeError:  # no reason to leave a run in the middle (EVT-19)
        _mute()


def _mute() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads it, so nothing is lost
