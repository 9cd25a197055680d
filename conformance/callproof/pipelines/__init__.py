"""A live pipeline, judged: the suite plays all that it depends on, and writes down what it does."""
