"""Answers without the line feed that ends a message."""

import sys
import time

sys.stdin.readline()
sys.stdout.write('{"jsonrpc": "2.0"')
sys.stdout.flush()
time.sleep(600)
