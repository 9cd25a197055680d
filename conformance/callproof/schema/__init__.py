"""JSON Schemas: generated from the chapters, and the one door to the validators."""
