"""callproof: conformance suite and reference validator for the tool calls of AI agents."""

from __future__ import annotations

__version__ = "0.1.0"
