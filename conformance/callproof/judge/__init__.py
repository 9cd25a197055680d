"""From findings to verdicts: runs the checks, combines their findings, counts what is covered."""
