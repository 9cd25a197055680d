"""Live conformance: scenarios, witness tools and observers around a system under test."""
