"""JSON Schemas as texts of their own: pure functions that know nothing about rules, tools and files."""
