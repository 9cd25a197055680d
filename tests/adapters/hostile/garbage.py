"""Greets, then logs to standard output."""

from greeting import greet, messages

greet()
for _ in messages():
    print("INFO \x1b[2J starting the run", flush=True)
