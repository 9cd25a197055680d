"""Fails before it has answered anything."""

import sys

sys.exit("cannot find my configuration")
