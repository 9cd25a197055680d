"""JSON Schemas: generated from the chapters, and the one door to the validators."""

from __future__ import annotations

from importlib import import_module

# jsonschema_rs imports it by itself, and panics where somebody breaks that off.
import_module("decimal")
