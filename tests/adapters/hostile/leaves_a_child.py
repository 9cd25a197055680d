"""Behaves well, but leaves a child behind in a session of its own, with an empty environment."""

import subprocess
import sys

from greeting import greet, messages, obey

child = subprocess.Popen(("/bin/sleep", "600"), start_new_session=True, env={})
with open(sys.argv[1], "w") as place:
    place.write(f"{child.pid}\n")
greet()
for message in messages():
    obey(message)
