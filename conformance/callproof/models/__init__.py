"""The typed Python face of the shapes, for the edges where documents come in."""
