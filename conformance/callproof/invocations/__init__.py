"""The suite of systems under the invocation contract: it plays planner, profiles, providers and tools."""
