"""The table of an audit, with the packages that write and read it."""
