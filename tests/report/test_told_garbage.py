"""However broken a record is, the suite can show it: as a finding, on a line of time, in a story."""

from __future__ import annotations

import json

import pytest
from broken_runs import broken_runs
from callproof.auditing.census import census_of, with_tools
from callproof.auditing.masking import Masking, masked_results
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.report.document import finding_document
from callproof.report.story import call_story, run_story, unbuilt_story
from callproof.report.story_text import lines
from callproof.report.timeline import timeline
from callproof.trace.run import Run
from hypothesis import HealthCheck, given, settings

pytestmark = pytest.mark.many


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(broken_runs())
def test_what_was_found_in_garbage_can_be_told(run: Run) -> None:
    """Findings are folded and shown with and without values, calls are counted, and the line of time is drawn."""
    results = folded(run, judge(run))
    census_of(call.value for call in run.calls)
    for show_values in (True, False):
        told = with_tools(run, masked_results(results, Masking(run), show_values=show_values))
        for result in told.values():
            json.dumps([finding_document(result, each) for each in result.findings])
    json.dumps(timeline(run, {each.source for each in run.records}))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(broken_runs())
def test_a_story_can_be_told_of_garbage(run: Run) -> None:
    """There is a story of the run, of each call, and of each result without a call; with values and with shapes."""
    stories = [run_story(run), *(call_story(run, each) for each in run.attempts)]
    stories += [unbuilt_story(run, each) for each in run.unbuilt]
    for story in stories:
        for each in (story, story.retold(Masking(run).text)):
            assert "".join(line.plain for line in lines(each, (), "violations"))
