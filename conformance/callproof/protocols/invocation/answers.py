"""Laws of the answer in a driven response: it is given, it is the provider's, and the provider got what tools gave."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.invocation.driven import Came, Response, Use
from callproof.protocols.invocation.log import LAWS, Invocations, ended
from callproof.protocols.parts import brief
from callproof.values.doubles import alike


def _owed(log: Invocations) -> Iterator[Response]:
    """Responses that lack no tool that they cannot do without."""
    yield from (each for each in ended(log) if not each.missed)


@LAWS.check("INT-15", each=_owed, needs=("driver",))
def an_answer_is_asked_for(_log: Invocations, response: Response) -> Iterator[Finding]:
    """Some provider is asked for an answer, whatever became of optional tools."""
    if not response.generations and response.end is not None:
        yield Finding(
            "the response ended, but no provider had been asked for an answer",
            "an answer, since every tool that was requested and that the response needs was executed",
            (response.noted(), response.end.witness("F")),
        )


@LAWS.check("INT-15", each=_owed, needs=("driver",))
def the_user_is_given_what_the_provider_answered(_log: Invocations, response: Response) -> Iterator[Finding]:
    """The text that is handed on contains a text that a provider gave."""
    if not response.answers or response.end is None or response.handed_an_answer:
        return
    yield Finding(
        f"a provider answered, but the user was given {'nothing' if response.handed is None else 'another text'}",
        "the text of the provider, to which something may be added",
        (response.generations[-1].witness("G"), response.end.witness("F")),
    )


def _given(log: Invocations) -> Iterator[tuple[Response, Use]]:
    """The first use by the runtime of each tool that gave something, if an answer was asked for afterwards."""
    for response in ended(log):
        last = response.generations[-1].at if response.generations else -1
        for uses in (uses for tool, uses in response.uses.items() if response.requested(tool)):
            gave = next((each for each in uses if each.by_runtime and each.came is Came.EXECUTED), None)
            if gave is not None and gave.probe.at < last:
                yield response, gave


@LAWS.check("INT-16", each=_given, needs=("driver",))
def what_a_tool_gave_reaches_the_provider(_log: Invocations, pair: tuple[Response, Use]) -> Iterator[Finding]:
    """Some generation after the use is given exactly what the tool gave."""
    response, use = pair
    told = [output for at, output in response.handed_on.get(use.tool, ()) if at > use.probe.at]
    if not any(alike(output, use.probe.value["output"]) for output in told):
        yield Finding(
            f"the provider was asked with {'something other than' if told else 'nothing of'}"
            f" what {brief(use.tool)} gave",
            "what the tool gave, unchanged",
            (use.probe.witness("P"), response.generations[-1].witness("G")),
        )


def _handed(log: Invocations) -> Iterator[tuple[Response, str]]:
    """Tools whose output some provider was told."""
    for response in log.responses:
        yield from ((response, each) for each in response.handed_on)


@LAWS.check("INT-16", each=_handed, needs=("driver",))
def the_provider_is_told_nothing_of_what_was_not_used(
    _log: Invocations, pair: tuple[Response, str]
) -> Iterator[Finding]:
    """No provider is told the output of a tool that was not used."""
    response, tool = pair
    if any(each.by_runtime for each in response.uses.get(tool, ())):
        return
    first = response.handed_on[tool][0][0]
    yield Finding(
        f"a provider was told an output of {brief(tool)}, which had not been used",
        "only outputs of tools that were used",
        (response.noted(), response.probes[first].witness("G")),
    )
