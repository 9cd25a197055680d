"""Greets, then neither reads nor writes: what is sent to it piles up."""

import time

from greeting import greet

greet()
time.sleep(600)
