"""The shapes as Python types: pydantic's one door.

A model accepts exactly what the generated schema of its shape accepts; a Hypothesis
test compares them in both directions.  The models add nothing: the chapter of a shape
says what its members mean.
"""
