"""Edits of a text that leave everything else unchanged."""
