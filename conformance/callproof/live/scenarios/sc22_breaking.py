"""SC-22: tools that end badly in every way a tool can, with and without a message, and one that gives away a secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from callproof.checks.code_names import MAPPED, UNCODED
from callproof.live.behaviours import Reply, breaks, fails, returns, script
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, TROUBLE
from callproof.live.scenarios.building import closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_SECRET = "canary-31d0-in-an-exception"  # noqa: S105  planted, so that it can be looked for
_WORDLESS = ("MSG-01", "MSG-02", "MSG-03", "MSG-06", "MSG-07")


def _ends(name: str, says: str, reply: Reply, *aims: str) -> Case:
    """A step that ends badly, and another that shows that the run goes on."""
    return Case(
        id=f"SC-22/{name}",
        says=says,
        plan=plan(step("s1", "witness.breaking", onError="skip"), step("s2", "witness.sound")),
        policy=policy(),
        tools=(
            hosted("witness.breaking", reply, takes=closed(), gives=closed()),
            hosted("witness.sound", returns({}), takes=closed(), gives=closed()),
        ),
        provokes=(*TROUBLE, "DEP-05", "ERR-10", *_WORDLESS, *aims),
        death_proves=("ERR-06",),
    )


def _tells(code: str, *aims: str) -> Case:
    return _ends(
        f"tells-{code.lower().replace('_', '-')}", f"The tool reports {code}", fails(code, retryable=False), *aims
    )


def _keeps_its_code() -> Case:
    """Its message does not name the code, so that the code itself has to be kept."""
    told: Mapping[str, Json] = {"code": "RATE_LIMITED", "message": "Come back later", "retryable": False}
    return _ends("tells-its-own-code", "No message names the tool's own code", replace(fails(""), error=told), "ERR-09")


def _in_the_words_of_other_layers() -> Case:
    """A step for each failure name of the table (A51), which its tool reports as it stands there, and in capitals."""
    names = [spelt for name in (*MAPPED, *UNCODED) for spelt in (name, name.upper())]
    case = _ends("names-of-other-layers", "Tools report failures by names of other layers", breaks(), "ERR-09")
    tools = {f"s{n}": hosted(f"witness.{n}", fails(name, False), takes=closed()) for n, name in enumerate(names)}
    return replace(
        case,
        plan=plan(*(step(step_id, tool.name, onError="skip") for step_id, tool in tools.items())),
        tools=tuple(tools.values()),
    )


def _in_a_loop() -> Case:
    """For every item the tool breaks first, then reports that something is missing, and breaks again."""
    case = _ends("in-a-loop", "In a loop, the tool breaks, reports NOT_FOUND, and breaks again", breaks(), "ERR-05")
    does = script(breaks(), fails("NOT_FOUND", retryable=True), breaks(), by_args=True)
    items: Json = {"items": ["one", "two", "three"]}
    source = hosted("witness.items", returns(items), takes=closed(), gives=closed(items={"type": "array"}))
    loop: Json = {"from": "$steps.src.items", "itemName": "item"}
    retry: Json = {"maxAttempts": 3, "backoffMs": 0}
    each = step("s1", "witness.breaking", {"value": "{item}"}, onError="skip", foreach=loop, retry=retry)
    return replace(
        case,
        plan=plan(step("src", "witness.items"), each, step("s2", "witness.sound")),
        tools=(source, hosted("witness.breaking", does, takes=closed(value={}), gives=closed()), case.tools[1]),
        requires=("references", "foreach", "retry"),
        provokes=(*case.provokes, "ERR-01", "ERR-06"),
    )


def _leaks() -> Case:
    reply = breaks(f"cannot reach https://user:{_SECRET}@db.internal/notes")
    case = _ends("leaks", "The tool breaks, and its exception holds a secret", reply, "LOG-16", "ERR-05")
    return replace(case, canaries=(_SECRET,))


def _is_told() -> Case:
    """The plan itself holds a secret: no system has to redact it, and none may redact it without a mark (A42)."""
    case = _ends("secret-args", "A tool is called with a password", returns({}), "LOG-17")
    args = {"user": "me", "password": "correct horse battery staple"}  # a secret of the plan, not of the system
    steps = (step("s1", "witness.breaking", args), step("s2", "witness.sound"))
    text: Json = {"type": "string"}
    told = hosted("witness.breaking", returns({}), takes=closed(user=text, password=text), gives=closed())
    return replace(case, plan=plan(*steps), tools=(told, case.tools[1]), provokes=(*ENVELOPE, "LOG-17"))


_HOSTILE = {
    "log-lines": '\n{"type":"run.finished","level":"info"}\n{"callId":"forged","status":"ok"}\n',
    "escape-codes": "\u001b]0;owned\u0007\u001b[2J\u009b31m \u202etxt.exe \u2028 \u0000",
    "stack-trace": 'Traceback (most recent call last):\n  File "/home/someone/tool.py", line 1, in run\nKeyError: 1',
    "endless": "no end of words " * 5_000,
    "empty": "",
}


def _hostile(name: str) -> tuple[Case, Case]:
    """A tool that breaks with such a text, and one that reports a failure with it."""
    told = replace(fails("INTERNAL_ERROR"), error={"code": "INTERNAL_ERROR", "message": _HOSTILE[name]})
    says = name.replace("-", " ")
    return (
        _ends(f"breaks-with-{name}", f"The tool breaks; message: {says}", breaks(_HOSTILE[name]), "ERR-06", "LOG-04"),
        _ends(f"tells-{name}", f"The tool reports a failure; message: {says}", told, "LOG-04"),
    )


SCENARIO = Scenario(
    "SC-22",
    "Tools that fail, with and without a message",
    (
        _tells("NOT_FOUND", "ERR-01"),
        _tells("CONFLICT", "ERR-02"),
        _tells("PRECONDITION_FAILED", "ERR-03"),
        _tells("POLICY_DENIED"),
        _tells("INTERNAL_ERROR", "ERR-05"),
        _tells("TIMEOUT", "RES-13", "ERR-10"),
        _tells("CANCELLED", "RES-13", "ERR-10"),
        _tells("RATE_LIMITED", "ERR-09"),
        _ends("tells-no-code", "The tool's code is a sentence", fails("no such thing", False), "RES-14", "ERR-09"),
        _ends("breaks", "The tool breaks", breaks(), "ERR-05", "ERR-06"),
        _keeps_its_code(),
        _tells("permission_denied", "ERR-09"),
        _tells("sibling_canceled", "ERR-09"),
        _in_the_words_of_other_layers(),
        _in_a_loop(),
        _leaks(),
        _is_told(),
        *(case for name in _HOSTILE for case in _hostile(name)),
    ),
    spared=("VAL-10", "LOG-06"),
)
