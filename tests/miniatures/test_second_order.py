"""Two faults at once: one does not hide the other, and together they break nothing that neither does.

The pairs were drawn once, with a seed, from different groups of requirements, each miniature at most once; they stand
here by name so that a new miniature does not change what is tried.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.live.case import Scenario
from callproof.live.scenarios import SCENARIOS

from miniatures.driving import chosen, driven
from miniatures.miniature import Miniature, miniatures
from miniatures.warm import Warm

BY_NAME = {each.name: each for each in miniatures()}

PAIRS = (
    ("unreadable-schemas-let-all-pass", "hash-with-pythons-numbers"),
    ("what-is-queued-still-goes-out", "refused-and-half-done"),
    ("tool-gets-other-args-than-logged", "wrong-arguments-are-internal"),
    ("what-a-timeout-left-is-not-told", "hash-salted-by-process"),
    ("second-item-passed-over", "dependents-of-a-failure-read-nothing"),
    ("empty-text-counts-as-missing", "made-after-it-had-started"),
    ("reading-leaves-a-mark", "index-counts-from-one"),
    ("words-of-other-layers-kept", "hash-salted-by-attempt"),
    ("hash-of-the-template", "timed-out-and-left-running"),
    ("unknown-names-are-found-out-late", "a-line-of-another-run"),
    ("skipped-without-a-record", "retries-turn-their-arguments"),
    ("iterations-share-their-attempts", "nothing-selected-is-not-found"),
    ("arrays-in-arrays-stay-templates", "plan-touched-up-in-run-json"),
    ("same-bytes-count-as-a-change", "result-says-ok-on-failure"),
    ("one-attempt-more", "confirmation-named-after-its-plan"),
    ("tool-may-speak-of-timeouts", "told-as-intended"),
    ("policy-asked-once-a-loop", "an-alias-is-no-name"),
    ("known-by-its-first-attempt", "failures-are-finished-too"),
    ("new-is-merely-changed", "a-member-written-twice"),
    ("nothing-to-do-is-a-failure", "cycles-found-out-late"),
    ("durations-in-seconds", "one-bad-item-ends-the-loop"),
    ("environment-in-the-debug-message", "confirmed-twice"),
    ("big-numbers-rounded", "confirmation-kept-out-of-run-json"),
    ("confirmed-event-stamped-late", "declared-dependencies-ignored"),
    ("a-broken-tool-was-not-found", "second-result"),
    ("data-hash-of-something-else", "items-in-capitals"),
    ("unknown-tools-are-found-out-late", "what-the-host-saw-is-left-out"),
    ("cancelled-twice", "failure-with-data"),
    ("closed-before-the-result-is-there", "iteration-on-everything"),
    ("tool-under-a-new-name", "run-finished-before-its-last-step"),
    ("timeout-as-text", "second-attempts-go-unchecked"),
    ("open-calls-are-not-told", "dry-run-writes"),
    ("skip-means-stop", "cancels-everybody"),
    ("the-error-quotes-what-was-thrown", "no-time-to-wait"),
    ("absolute-paths-pass", "failed-dependencies-count-as-done"),
    ("effects-of-a-dry-run", "the-array-turns-while-the-loop-runs"),
    ("run-finished-untold", "call-written-twice"),
    ("log-kept-back", "output-is-tidied-up"),
    ("usual-names-always-bound", "run-record-without-a-policy"),
    ("call-recorded-when-it-is-over", "deadlines-are-wishes"),
)

# What two faults break only together, with the reason.
TOGETHER: dict[tuple[str, str], dict[str, str]] = {}


def cases_of(*those: Miniature) -> tuple[Scenario, ...]:
    """Every scenario with the cases that one of these miniatures is driven through."""
    wanted = {
        case.id for each in those for scenario in chosen(each.requirement, each.seen_in) for case in scenario.cases
    }
    reduced = (replace(each, cases=tuple(case for case in each.cases if case.id in wanted)) for each in SCENARIOS)
    return tuple(each for each in reduced if each.cases)


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_two_faults_at_once_are_both_caught_and_nothing_else_is(pair: tuple[str, str], served: Warm) -> None:
    """Both requirements fail; all else that fails is in one of the two stated sets or has a stated reason."""
    one, other = (BY_NAME[name] for name in pair)
    judged = driven(served.address(*pair), cases_of(one, other))
    aimed = {one.requirement, other.requirement}
    assert aimed <= set(judged.failed), judged.told()
    permitted = aimed | {*one.also, *other.also} | TOGETHER.get(pair, {}).keys()
    assert set(judged.failed) <= permitted, judged.told()
    assert judged.errors == ()


def test_pairs_are_of_different_groups() -> None:
    """Two faults of one group break much the same requirements, so such a pair would show little that is new."""
    groups = {pair: {BY_NAME[name].requirement.split("-")[0] for name in pair} for pair in PAIRS}
    assert [pair for pair, both in groups.items() if len(both) < 2] == []
    assert len(PAIRS) >= 40
    assert TOGETHER.keys() <= set(PAIRS)
