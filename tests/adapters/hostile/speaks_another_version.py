"""Answers initialize with a version of the protocol that the suite does not speak."""

from greeting import answer, greet, messages

greet(protocol="2.3")
for message in messages():
    answer(message, {})
