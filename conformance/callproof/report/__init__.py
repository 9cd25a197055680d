"""Judgements for people and programs.  The one door through which outside text is printed."""
