"""What was observed of one run: claims, deeds and the world, linked up for the checks."""
