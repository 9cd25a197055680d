"""Captured logs audited: each run by itself in one pure function, and many runs brought together."""
