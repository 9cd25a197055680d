"""Greets, and leaves out the line feed that ends its next message."""

import sys
import time

from greeting import greet

greet()
sys.stdout.write('{"jsonrpc": "2.0"')
sys.stdout.flush()
time.sleep(600)
