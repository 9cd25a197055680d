"""The one object that speaks to a system under test, and every way in which it can fail."""
