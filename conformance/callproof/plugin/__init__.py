"""The pytest plugin: scenarios and cases of a live system as items, and one judgement of them, across processes."""
