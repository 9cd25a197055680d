"""Audits captured logs: each run by itself in one pure function, and many runs combined."""
