"""Conversations of the systems beside the executor with the program that drives them."""
