"""Greets, then reads everything and never writes a message again."""

import sys

from greeting import greet, messages

greet()
sys.stderr.write("thinking\n")
for _ in messages():
    pass
