"""Greets, then writes one line that never ends."""

import sys

from greeting import greet, messages

greet()
next(messages())
sys.stdout.write('{"jsonrpc":"2.0","method":"record","params":"')
while True:
    sys.stdout.write("x" * 65536)
