"""Tests that read the corpora, which lie beside a working checkout."""
