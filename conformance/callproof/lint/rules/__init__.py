"""Rules, one small function each, one module a group; the page of each lies in ``pages``."""
