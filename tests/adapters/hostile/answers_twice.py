"""Answers every request a second time."""

from greeting import answer, greet, messages

greet()
for message in messages():
    answer(message, {"runId": "r"})
    answer(message, {"runId": "r"})
