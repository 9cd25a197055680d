"""The faults that make a plan unfit to run, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from reference_suite import Suite, plan, policy, step, tool

CLOSED = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": {"type": "object", "properties": {"x": {}}, "additionalProperties": False}},
        "text": {"type": "string"},
        "free": {"type": "object"},
    },
    "additionalProperties": False,
}


@pytest.fixture
def suite() -> Iterator[Suite]:
    """The suite's side of a conversation with the executor."""
    suite = Suite()
    yield suite
    suite.close()


def faults(suite: Suite, plan: Any, *tools: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    """The pointers and reasons of the faults in a refusal."""
    data = suite.refusal(plan, *tools, **more)
    assert data["code"] == "VALIDATION_ERROR"
    assert suite.sent("record") == []
    return [(fault["pointer"], fault["reason"]) for fault in data["details"]["faults"]]


def test_every_fault_is_listed_at_once(suite: Suite) -> None:
    """REF-03, VAL-05, VAL-08, DEP-09: faults of the shape, of names of all kinds, and a cycle."""
    broken = plan(
        step("a", "ech", dependsOn=["z"]),
        step("b", args={"x": ["$vars.none", {"y": "text {$steps.nobody.x}"}]}),
        step("c", args={"x": "$steps.d"}, timeoutMs=0, captureAs="v"),
        step("d", args={"x": "$vars.v"}, captureAs="v"),
        surprise=1,
    )
    assert sorted(faults(suite, broken)) == sorted(
        [
            ("", "schema"),
            ("/steps/2/timeoutMs", "schema"),
            ("/steps/0/tool", "unknown_tool"),
            ("/steps/0/dependsOn/0", "unknown_step"),
            ("/steps/1/args/x/0", "unknown_variable"),
            ("/steps/1/args/x/1/y", "unknown_step"),
            ("/steps/3/captureAs", "duplicate_capture"),
            ("/steps/3", "cycle"),
        ]
    )


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([step("a"), step("a", dependsOn=["b"], args={"x": "$steps.a"})], [("/steps/1/id", "duplicate_step")]),
        ([{"tool": "echo", "args": {}}, step("b", args={"x": "$steps.a"})], [("/steps/0", "schema")]),
        (["a", step("b", dependsOn=["a"], args={"x": "$vars.v"})], [("/steps/0", "schema")]),
        (
            [step("a"), step("a", "ech", args={"x": "$steps.z"})],
            [("/steps/1/id", "duplicate_step"), ("/steps/1/tool", "unknown_tool")],
        ),
    ],
)
def test_links_are_not_judged_where_ids_are_missing_or_doubled(
    suite: Suite, steps: list[Any], told: list[tuple[str, str]]
) -> None:
    """REF-03, DEP-09: a reference may mean the step without an id, so nothing false is said about the reference."""
    assert faults(suite, plan(*steps)) == told


@pytest.mark.parametrize(
    ("broken", "pointer", "reason"),
    [
        (plan(step("a", args={"x": "$steps.a"})), "/steps/0", "cycle"),
        (plan(step("a", dependsOn=["a"])), "/steps/0", "cycle"),
        (plan(step("a", foreach={"from": "[1]", "itemName": "i"})), "/steps/0/foreach/from", "foreach_source"),
        (
            plan(step("b"), step("a", foreach={"from": "$steps.b", "itemName": "index"})),
            "/steps/1/foreach",
            "binding_conflict",
        ),
        (
            plan(step("b"), step("a", foreach={"from": "$steps.b", "itemName": "i"}), step("c", args={"x": "{i.n}"})),
            "/steps/2/args/x",
            "unknown_binding",
        ),
        (plan(step("a/b")), "/steps/0/id", "schema"),
        (plan(), "/steps", "schema"),
        (plan({"id": "a", "args": {}}), "/steps/0", "schema"),
        (
            plan(step("a", foreach={"from": "$steps.z.l", "itemName": "i"}, args={"x": "{i.y}"})),
            "/steps/0/foreach/from",
            "unknown_step",
        ),
        ({"steps": "none"}, "", "schema"),
        ("no object", "", "schema"),
    ],
)
def test_a_fault_is_named_with_its_place(suite: Suite, broken: Any, pointer: str, reason: str) -> None:
    """REF-03, REF-23, VAL-08, DEP-09, A60."""
    assert (pointer, reason) in faults(suite, broken)


@pytest.mark.parametrize(
    ("reference", "fits"),
    [
        ("$steps.a.items[0].x.y", True),
        ("$steps.a.free.anything", True),
        ("$steps.a.missing", False),
        ("$steps.a.items[0].y", False),
        ("$steps.a.items.x", False),
        ("$steps.a.text.x", False),
        ("$steps.a.text[0]", False),
        ("$steps.l[0].text", True),
        ("$steps.l.text", False),
        ("{item.x}", True),
        ("{item.y}", False),
    ],
)
def test_a_field_that_a_closed_schema_does_not_have_is_a_fault(suite: Suite, reference: str, fits: bool) -> None:
    """A3: this holds for the data of a step, of a loop's array and of an item."""
    loop = {"from": "$steps.a.items", "itemName": "item"}
    made = plan(step("a"), step("l", foreach=loop), step("b", args={"v": reference}, foreach=loop))
    if fits:
        suite.start(made, tool(outputSchema=CLOSED))
    else:
        assert faults(suite, made, tool(outputSchema=CLOSED)) == [("/steps/2/args/v", "unknown_field")]


def test_a_tool_with_an_unusable_schema_refuses_the_run(suite: Suite) -> None:
    """VAL-09, A75: but only if a step uses the tool (B-18)."""
    remote = tool("bad", inputSchema={"$ref": "https://example.com/schema"})
    assert faults(suite, plan(step("a", "bad")), remote) == [("/steps/0/tool", "schema_not_loaded")]
    suite.start(plan(step("a")), tool(), remote)


@pytest.mark.parametrize("flaw", [{"inputSchema": None}, {"riskLevel": "mild"}, {"inputSchema": {"type": "wrong"}}])
def test_a_broken_descriptor_refuses_the_run(suite: Suite, flaw: dict[str, Any]) -> None:
    """VAL-09, POL-19."""
    assert faults(suite, plan(step("a")), tool(**flaw)) == [("/steps/0/tool", "schema_not_loaded")]


def test_a_schema_may_be_true_or_false(suite: Suite) -> None:
    """VAL-03: no arguments fit the schema false, not even empty ones."""
    suite.start(
        plan(step("a", onError="skip"), step("b", "open")), tool(inputSchema=False), tool("open", inputSchema=True)
    )
    suite.echo_all()
    assert suite.statuses() == [("a", "error"), ("b", "ok")]


def test_a_tool_that_nobody_hosts_refuses_the_run(suite: Suite) -> None:
    """A69."""
    assert faults(suite, plan(step("a")), tool(host="system")) == [("/steps/0/tool", "unknown_tool")]


def test_an_alias_stands_for_its_tool_unless_two_tools_claim_it(suite: Suite) -> None:
    """VAL-06, A15."""
    suite.start(plan(step("a", "say")), tool("echo", aliases=["say"]))
    assert suite.invocation()["params"]["tool"] == suite.records("call")[0]["tool"] == "echo"
    suite.heard.clear()
    both = tool("echo", aliases=["say"]), tool("speak", aliases=["say"])
    assert faults(suite, plan(step("a", "say")), *both) == [("/steps/0/tool", "unknown_tool")]


@pytest.mark.parametrize(
    ("broken", "pointer"),
    [
        (policy(maxConcurrency=0), "/limits/maxConcurrency"),
        ({"confirmationsRequired": False, "limits": {}}, ""),
        ({"confirmationsRequired": "no", "sandbox": {}, "limits": {}}, "/confirmationsRequired"),
    ],
)
def test_a_broken_policy_refuses_the_run(suite: Suite, broken: Any, pointer: str) -> None:
    """DEP-10, POL-18, A67."""
    assert (pointer, "schema") in faults(suite, plan(step("a")), policy=broken)


def test_literal_braces_and_signs_are_no_faults(suite: Suite) -> None:
    """REF-16: braces and signs are literal text, and arguments are not judged before their call (A63)."""
    args = {"x": ["$5.00", "{item}", "{{x}}", "$$steps.nobody", "\\frac{a}{b}"]}
    suite.start(plan(step("a", args=args)), tool(inputSchema={"required": ["never"]}))
    assert suite.records("result")[0]["error"]["code"] == "VALIDATION_ERROR"


def test_a_near_miss_is_told(suite: Suite) -> None:
    """The message names the nearest known name."""
    message = suite.refusal(plan(step("parse"), step("b", "ecko", args={"x": "$steps.prase"})))["message"]
    assert "'parse'" in message
    assert "'echo'" in message
