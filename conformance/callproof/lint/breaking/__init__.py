"""Two versions of a catalogue: what the step from one to the other breaks, and for whom."""
