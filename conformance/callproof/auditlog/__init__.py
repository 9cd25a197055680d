"""Log folders read safely, whatever is in them."""
