"""The 27 classes of failure: each is lawful only at its own phases, as in the chapter's table."""

from __future__ import annotations

import pytest
from pipeline_logs import CLASSES, PHASES, TABLE, Object, created, ends, failure, found, invocation, phase


def failing_in(where: str, error_class: str, **error: str) -> list[Object]:
    """An invocation that failed at a phase after earlier ones succeeded, and a sibling that had failed before."""
    sibling: list[Object] = [
        invocation("i-0", batch_id="b-1"),
        phase("execute", "failed", "i-0"),
        created("i-0"),
        failure("execution_failed", name="i-0"),
    ]
    before = [phase(each) for each in PHASES[: PHASES.index(where)]]
    return [
        *sibling,
        invocation(batch_id="b-1"),
        *before,
        phase(where, "failed"),
        created(),
        failure(error_class, **error),
    ]


def test_the_chapter_has_twelve_phases_and_27_classes() -> None:
    """The other tests use the chapter's tables, so these must be read completely."""
    assert len(PHASES) == 12
    assert len(CLASSES) == 27
    assert TABLE["emit_terminal"] == frozenset()


@pytest.mark.many
@pytest.mark.parametrize("where", PHASES)
@pytest.mark.parametrize("error_class", CLASSES)
def test_a_class_is_lawful_at_its_own_phases_alone(error_class: str, where: str) -> None:
    """A result with a failed phase and a class has no finding if the table pairs them, and has one otherwise."""
    told = failing_in(where, error_class, phase=where)
    if where in ends(error_class):
        assert found(told) == {}
    else:
        assert set(found(told)) == {"PIPE-08"}


@pytest.mark.many
@pytest.mark.parametrize("where", PHASES)
@pytest.mark.parametrize("error_class", CLASSES)
def test_the_class_of_a_phase_is_its_own(error_class: str, where: str) -> None:
    """The class that a failed phase names is checked against the table too, independent of the result."""
    told = failing_in(where, error_class, phase=where)
    told[told.index(phase(where, "failed"))] = phase(where, "failed", error_class=error_class)
    assert set(found(told)) == (set() if where in ends(error_class) else {"PIPE-08"})


@pytest.mark.parametrize("where", PHASES)
@pytest.mark.parametrize("error_class", CLASSES)
def test_the_phase_that_a_result_names_goes_with_its_class(error_class: str, where: str) -> None:
    """If no phase is recorded, only the result is checked against the table."""
    told = [invocation(), created(), failure(error_class, phase=where)]
    # There is no sibling because of which the call may have been cancelled.
    lawful = where in ends(error_class) and error_class != "sibling_canceled"
    assert set(found(told)) == (set() if lawful else {"PIPE-08"})


@pytest.mark.parametrize("error_class", [each for each in CLASSES if each != "sibling_canceled"])
def test_a_class_of_several_phases_takes_the_phase_along(error_class: str) -> None:
    """A class of only one phase says enough; for every other class, the result must name the phase."""
    told = [invocation(), created(), failure(error_class)]
    assert set(found(told)) == (set() if len(ends(error_class)) == 1 else {"PIPE-08"})


@pytest.mark.parametrize("where", PHASES[:-1])
def test_a_class_of_a_system_s_own_has_a_namespace_and_a_phase(where: str) -> None:
    """With a namespace and a phase it is lawful at every phase but the last; without either of them it is not."""
    assert found(failing_in(where, "acme.quota", phase=where)) == {}
    assert set(found(failing_in(where, "acme.quota"))) == {"PIPE-08"}
    assert set(found(failing_in(where, "quota", phase=where))) == {"PIPE-08"}


@pytest.mark.parametrize("where", PHASES[:-1])
@pytest.mark.parametrize("after", PHASES)
def test_after_a_failure_come_three_phases_alone(where: str, after: str) -> None:
    """Only hooks for failures, persistence and the end may follow a failed phase, in this order."""
    error_class = min(each for each in CLASSES if where in ends(each) and each != "sibling_canceled")
    told = failing_in(where, error_class, phase=where)
    at = told.index(phase(where, "failed"))
    told.insert(at + 1, phase(after, "started"))
    may = after in PHASES[-3:] and PHASES.index(after) >= PHASES.index(where)
    assert set(found(told)) == (set() if may else {"PIPE-02"})
