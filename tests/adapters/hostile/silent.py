"""Greets, then reads everything and never says a word again."""

import sys

from greeting import greet, messages

greet()
sys.stderr.write("thinking\n")
for _ in messages():
    pass
