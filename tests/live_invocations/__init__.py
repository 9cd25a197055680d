"""Systems under the invocation contract that are broken in one way, and lawful ones that do things differently."""
