"""JSON Schemas: generated from the chapters, and the one door to the validators."""

from __future__ import annotations

from importlib import import_module

# jsonschema_rs imports it too, and panics if an interruption breaks off that import.
import_module("decimal")
