"""Cases as portable files: written, read without trust, and played again with any system."""
