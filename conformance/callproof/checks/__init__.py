"""One function a law, one module a chapter.  Pure: a check never opens a file."""
