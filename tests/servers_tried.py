"""MCP servers that other people wrote: the package, its command, and the least number of tools that it has."""

from __future__ import annotations

NPM = {
    "everything": ("@modelcontextprotocol/server-everything", "mcp-server-everything", 8),
    "filesystem": ("@modelcontextprotocol/server-filesystem", "mcp-server-filesystem .", 8),
    "memory": ("@modelcontextprotocol/server-memory", "mcp-server-memory", 5),
    "sequential-thinking": ("@modelcontextprotocol/server-sequential-thinking", "mcp-server-sequential-thinking", 1),
}
PYPI = {
    "fetch": ("mcp-server-fetch", "mcp-server-fetch", 1),
    "time": ("mcp-server-time", "mcp-server-time", 2),
}
