"""Judging a live agent loop: the suite plays everything that the loop depends on, and logs what it does."""
