"""Not hostile: gives its process id as its version, and stays until the end of its input."""

import os

from greeting import answer, greet, messages

greet(version=str(os.getpid()))
for message in messages():
    answer(message, {})
