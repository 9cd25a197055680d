"""From findings to verdicts: runs the checks, combines what they say, counts what is covered."""
