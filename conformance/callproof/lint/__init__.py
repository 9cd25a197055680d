"""The linter of tool definitions: the rules of the conventions, the documents they read, findings, and fixes."""
