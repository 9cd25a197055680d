"""Two versions of a catalogue, and what the step from one to the other breaks, and for whom."""
