"""Answers everything and never exits; its child, in a session of its own, never exits either.

The child's process id goes to the file that the first argument names.
"""

import os
import signal
import sys
import time

from greeting import greet, messages, obey

signal.signal(signal.SIGTERM, signal.SIG_IGN)
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(writing, b"%d" % os.getpid())
        time.sleep(600)
    os._exit(0)
with open(sys.argv[1], "wb") as place:
    place.write(os.read(reading, 32))
greet(version=str(os.getpid()))
for message in messages():
    obey(message)
time.sleep(600)
