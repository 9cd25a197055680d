"""Edits of a text that leave everything else as it stood."""
