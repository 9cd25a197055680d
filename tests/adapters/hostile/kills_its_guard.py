"""Kills the process that watches over it, and stays."""

import os
import signal
import time

from greeting import greet, messages

signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGKILL)
greet(version=str(os.getpid()))
for _ in messages():
    pass
time.sleep(600)
