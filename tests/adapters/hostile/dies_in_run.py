"""Greets, and is killed as soon as a run starts."""

import os
import signal
import sys

from greeting import greet, messages

greet()
next(messages())
sys.stderr.write("about to go\n")
sys.stderr.flush()
os.kill(os.getpid(), signal.SIGKILL)
