"""The pytest plugin.  Loaded in every pytest run of everyone who has callproof: imports nothing heavy."""

from __future__ import annotations
