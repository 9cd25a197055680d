"""The broken executors, one module a requirement group."""
