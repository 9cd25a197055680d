"""Sends the suite the signal of Ctrl-C after the first request, and stays."""

import os
import signal
import sys
import time

from greeting import greet, messages

with open(sys.argv[1], "w") as place:
    place.write(str(os.getpid()))
greet()
next(messages())
# The parent is the guard, and its parent the suite.
with open(f"/proc/{os.getppid()}/stat") as stat:
    suite = int(stat.read().rpartition(")")[2].split()[1])
os.kill(suite, signal.SIGINT)
time.sleep(600)
