"""What runs in a child process, beside the user's own code."""
