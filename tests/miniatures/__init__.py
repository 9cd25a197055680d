"""Executors that are each broken in exactly one named way, and the matrix that proves that each is caught."""
