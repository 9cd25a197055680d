"""What a JSON value, an instant, a path and a hash are.  Knows nothing of tool calls."""
