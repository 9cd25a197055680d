"""What providers and clients permit, as dated data: one YAML file a profile, and the module that reads them."""
