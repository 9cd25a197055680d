"""The shapes as Python types: pydantic's one door.

A model accepts exactly what the generated schema of its shape accepts; a Hypothesis
test holds them together in both directions.  The models say nothing of their own:
what a member means stands in its chapter.
"""
