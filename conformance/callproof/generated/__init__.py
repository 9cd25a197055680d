"""Generated cases: made from a seed, judged by every law and by an oracle, and made small if they fail."""
