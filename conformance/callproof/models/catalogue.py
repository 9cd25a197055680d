"""Every model, by the name of its shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from callproof.models import adapter_messages as messages
from callproof.models import agent_loop, pipeline
from callproof.models.adapter_frame import Frame
from callproof.models.effects import Effects
from callproof.models.error import Error
from callproof.models.execution_event import ExecutionEvent
from callproof.models.invocation import (
    Invocation,
    InvocationEvent,
    InvocationIntent,
    InvocationOutcome,
    InvocationRequest,
)
from callproof.models.plan import Foreach, Plan, PlanStep, RetryPolicy
from callproof.models.policy import Limits, Policy, Sandbox
from callproof.models.report import (
    Baseline,
    FailOn,
    Finding,
    JudgedRequirement,
    JudgedRun,
    Outcome,
    Report,
    Selection,
    Statement,
    Subject,
)
from callproof.models.report_line import ReportLine
from callproof.models.run_record import Confirmation, RunRecord
from callproof.models.testimony import Testimony
from callproof.models.timeline import Timeline, ToolCount, VersionCount
from callproof.models.tool_call import Iteration, ToolCall
from callproof.models.tool_descriptor import ToolDescriptor
from callproof.models.tool_result import ToolResult

MODELS: Mapping[str, TypeAdapter[Any]] = {
    "plan": TypeAdapter(Plan),
    "plan-step": TypeAdapter(PlanStep),
    "foreach": TypeAdapter(Foreach),
    "retry-policy": TypeAdapter(RetryPolicy),
    "policy": TypeAdapter(Policy),
    "sandbox": TypeAdapter(Sandbox),
    "limits": TypeAdapter(Limits),
    "tool-call": TypeAdapter(ToolCall),
    "iteration": TypeAdapter(Iteration),
    "tool-result": TypeAdapter(ToolResult),
    "error": TypeAdapter(Error),
    "effects": TypeAdapter(Effects),
    "execution-event": TypeAdapter(ExecutionEvent),
    "confirmation": TypeAdapter(Confirmation),
    "run-record": TypeAdapter(RunRecord),
    "tool-descriptor": TypeAdapter(ToolDescriptor),
    "finding": TypeAdapter(Finding),
    "report": TypeAdapter(Report),
    "report-fail-on": TypeAdapter(FailOn),
    "report-line": TypeAdapter(ReportLine),
    "report-outcome": TypeAdapter(Outcome),
    "report-requirement": TypeAdapter(JudgedRequirement),
    "report-run": TypeAdapter(JudgedRun),
    "report-selection": TypeAdapter(Selection),
    "report-subject": TypeAdapter(Subject),
    "timeline": TypeAdapter(Timeline),
    "tool-count": TypeAdapter(ToolCount),
    "version-count": TypeAdapter(VersionCount),
    "testimony": TypeAdapter(Testimony),
    "baseline": TypeAdapter(Baseline),
    "statement": TypeAdapter(Statement),
    "adapter/frame": TypeAdapter(Frame),
    "adapter/initialize": TypeAdapter(messages.Initialize),
    "adapter/initialize-answer": TypeAdapter(messages.InitializeAnswer),
    "adapter/claims": TypeAdapter(messages.Claims),
    "adapter/run-start": TypeAdapter(messages.RunStart),
    "adapter/run-start-answer": TypeAdapter(messages.RunReference),
    "adapter/run-refusal": TypeAdapter(messages.RunRefusal),
    "adapter/run-confirm": TypeAdapter(messages.RunConfirm),
    "adapter/run-cancel": TypeAdapter(messages.RunCancel),
    "adapter/run-finished": TypeAdapter(messages.RunReference),
    "adapter/acknowledgement": TypeAdapter(messages.Empty),
    "adapter/clock-advance": TypeAdapter(messages.ClockAdvance),
    "adapter/clock-advance-answer": TypeAdapter(messages.ClockAdvanceAnswer),
    "adapter/shutdown": TypeAdapter(messages.Empty),
    "adapter/record": TypeAdapter(messages.RecordMessage),
    "adapter/tool-invoke": TypeAdapter(messages.ToolInvoke),
    "adapter/tool-invoke-answer": TypeAdapter(messages.ToolInvokeAnswer),
    "adapter/tool-failure": TypeAdapter(messages.ToolFailure),
    "adapter/tool-abort": TypeAdapter(messages.ToolAbort),
    "adapter/tool-progress": TypeAdapter(messages.ToolProgress),
    "adapter/hook-before": TypeAdapter(messages.ToolInvoke),
    "adapter/hook-before-answer": TypeAdapter(messages.HookBeforeAnswer),
    "protocols/agent-loop-call": TypeAdapter(agent_loop.LoopCall),
    "protocols/agent-loop-text": TypeAdapter(agent_loop.LoopText),
    "protocols/agent-loop-image": TypeAdapter(agent_loop.LoopImage),
    "protocols/agent-loop-output": TypeAdapter(agent_loop.LoopOutput),
    "protocols/agent-loop-result": TypeAdapter(agent_loop.LoopResult),
    "protocols/agent-loop-start": TypeAdapter(agent_loop.LoopStart),
    "protocols/agent-loop-update": TypeAdapter(agent_loop.LoopUpdate),
    "protocols/agent-loop-end": TypeAdapter(agent_loop.LoopEnd),
    "protocols/agent-loop-error": TypeAdapter(agent_loop.LoopError),
    "protocols/agent-loop-blocked": TypeAdapter(agent_loop.LoopBlocked),
    "protocols/agent-loop-pending": TypeAdapter(agent_loop.LoopPending),
    "protocols/agent-loop-tool-use": TypeAdapter(agent_loop.LoopToolUse),
    "protocols/agent-loop-tool-result": TypeAdapter(agent_loop.LoopToolResult),
    "protocols/agent-loop-function-call": TypeAdapter(agent_loop.LoopFunctionCall),
    "protocols/agent-loop-custom-call": TypeAdapter(agent_loop.LoopCustomCall),
    "protocols/agent-loop-output-item": TypeAdapter(agent_loop.LoopOutputItem),
    "protocols/agent-loop-chat-call": TypeAdapter(agent_loop.LoopChatCall),
    "protocols/agent-loop-chat-result": TypeAdapter(agent_loop.LoopChatResult),
    "protocols/agent-loop-chain-call": TypeAdapter(agent_loop.LoopChainCall),
    "protocols/agent-loop-chain-result": TypeAdapter(agent_loop.LoopChainResult),
    "protocols/pipeline": TypeAdapter(pipeline.PipelineRecord),
    "protocols/pipeline-surface": TypeAdapter(pipeline.PipelineSurface),
    "protocols/pipeline-policy": TypeAdapter(pipeline.PipelinePolicy),
    "protocols/pipeline-invocation": TypeAdapter(pipeline.PipelineInvocation),
    "protocols/pipeline-phase": TypeAdapter(pipeline.PipelinePhase),
    "protocols/pipeline-decision": TypeAdapter(pipeline.PipelineDecision),
    "protocols/pipeline-mutation": TypeAdapter(pipeline.PipelineMutation),
    "protocols/pipeline-hook": TypeAdapter(pipeline.PipelineHook),
    "protocols/pipeline-progress": TypeAdapter(pipeline.PipelineProgress),
    "protocols/pipeline-persistence": TypeAdapter(pipeline.PipelinePersistence),
    "protocols/pipeline-error": TypeAdapter(pipeline.PipelineError),
    "protocols/pipeline-result": TypeAdapter(pipeline.PipelineResult),
    "protocols/pipeline-event": TypeAdapter(pipeline.PipelineEvent),
    "protocols/invocation": TypeAdapter(Invocation),
    "protocols/invocation-intent": TypeAdapter(InvocationIntent),
    "protocols/invocation-request": TypeAdapter(InvocationRequest),
    "protocols/invocation-outcome": TypeAdapter(InvocationOutcome),
    "protocols/invocation-event": TypeAdapter(InvocationEvent),
}
