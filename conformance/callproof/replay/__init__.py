"""Cases as portable files: written, read without trust, and had again with any system."""
