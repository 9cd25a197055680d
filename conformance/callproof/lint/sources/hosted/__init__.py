"""What runs in a child process, together with the user's own code."""
