"""Agent loops that are each broken in one named way, and what the suite for live loops finds in them."""
