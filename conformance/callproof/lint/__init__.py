"""Tool definitions, held against the conventions: rules, the documents they read, findings, and fixes."""
