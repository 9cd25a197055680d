"""The forms of a log that others write: what the interfaces of models take and give, and what Claude Code keeps."""
