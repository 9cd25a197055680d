"""Greets, then neither reads nor writes: messages to it pile up."""

import time

from greeting import greet

greet()
time.sleep(600)
