"""Plans that can never work: the small share of generated cases whose run has to be refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from callproof.generated.chances import one_of
from callproof.live.case import Case

# Here plans are plain JSON, which may be changed freely; the product is a plan again.
_Plan: TypeAlias = dict[str, Any]
_Spoil: TypeAlias = Callable[[_Plan], None]


def _unknown_tool(plan: _Plan) -> None:
    plan["steps"][-1]["tool"] = "no.such-tool"


def _unknown_dependency(plan: _Plan) -> None:
    plan["steps"][-1]["dependsOn"] = ["nowhere"]


def _circle(plan: _Plan) -> None:
    first, last = plan["steps"][0], plan["steps"][-1]
    first["dependsOn"] = [last["id"]]
    last["dependsOn"] = [first["id"]]


def _twice(plan: _Plan) -> None:
    plan["steps"].append(deepcopy(plan["steps"][0]))


def _unknown_member(plan: _Plan) -> None:
    plan["steps"][0]["dependson"] = []


def _no_steps(plan: _Plan) -> None:
    plan["steps"] = []


def _unknown_step(plan: _Plan) -> None:
    plan["steps"][-1]["args"] = {"value": "see {$steps.nowhere.text}"}


def _unknown_variable(plan: _Plan) -> None:
    plan["steps"][-1]["args"] = {"value": {"deep": ["$vars.nobody"]}}


def _itself(plan: _Plan) -> None:
    plan["steps"][-1]["args"] = {"value": f"$steps.{plan['steps'][-1]['id']}"}


_ALWAYS: tuple[_Spoil, ...] = (_unknown_tool, _unknown_dependency, _circle, _twice, _unknown_member, _no_steps)
_WITH_REFERENCES: tuple[_Spoil, ...] = (_unknown_step, _unknown_variable, _itself)


def spoiled(dice: Random, case: Case, *, refer: bool) -> Case:
    """The case with one fault in its plan, for which every system has to refuse it."""
    spoil = one_of(dice, (*_ALWAYS, *(_WITH_REFERENCES if refer else ())))
    plan = deepcopy(dict(case.plan))
    spoil(plan)
    return replace(case, plan=plan, says=f"{case.says}, with a plan that can never work", expects_refusal=True)
