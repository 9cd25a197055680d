"""Pipelines that are each broken in one way, and lawful ones that do things differently."""
