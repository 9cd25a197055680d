"""Judgements for people and programs.  All text from outside is printed through this package."""
