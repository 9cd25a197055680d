"""Where tool definitions come from, one module a source."""
