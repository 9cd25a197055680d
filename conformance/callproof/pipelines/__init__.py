"""Judging a live pipeline: the suite plays everything that the pipeline depends on, and logs what it does."""
