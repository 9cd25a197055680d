"""JSON values, instants, paths and hashes.  Does not know about tool calls."""
