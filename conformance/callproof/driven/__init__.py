"""A live system of another protocol, judged: cases are played against it, and what it does is written down."""
