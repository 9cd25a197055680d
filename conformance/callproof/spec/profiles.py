"""The profiles that the suite judges by: settings choose one, and a system may claim some."""

from __future__ import annotations

PROFILES = ("envelope",)
