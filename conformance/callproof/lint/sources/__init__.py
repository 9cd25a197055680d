"""Where tool definitions come from, one module per source."""
