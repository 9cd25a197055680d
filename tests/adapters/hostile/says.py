"""Greets, waits for a request, and then writes its argument as a line."""

import sys

from greeting import greet, messages

greet()
next(messages())
sys.stdout.write(sys.argv[1] + "\n")
sys.stdout.flush()
for _ in messages():
    pass
