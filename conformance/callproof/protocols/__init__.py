"""Logs of the protocols that stand beside the envelope: one package each, one way to read and to judge them all.

Each has a chapter in ``spec/protocols``, a trace that links up what its records say, and checks as those of a run.
"""
