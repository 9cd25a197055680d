"""Reads log folders safely, whatever is in them."""
