"""Judging a live system of another protocol: the suite plays cases against it and logs what it does."""
