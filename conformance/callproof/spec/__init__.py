"""The specification as data: chapters parsed into requirements, shapes and examples."""
