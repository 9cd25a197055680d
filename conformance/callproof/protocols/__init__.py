"""Logs of the protocols beside the envelope: one package for each protocol, and one way to read and judge all logs.

Each has a chapter in ``spec/protocols``, a trace that links up what its records say, and checks like those of a run.
"""
