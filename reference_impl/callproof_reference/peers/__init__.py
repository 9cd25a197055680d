"""Conversations of the systems beside the executor with whoever drives them."""
