"""Greets, then sends records for ever, faster than the suite reads them."""

import sys

from greeting import greet, messages

greet()
next(messages())
line = '{"jsonrpc":"2.0","method":"record","params":{"runId":"r","kind":"event","record":{}}}\n' * 500
while True:
    sys.stdout.write(line)
