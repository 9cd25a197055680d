"""What providers and clients permit, as dated data: one YAML file per profile, and the module that reads them."""
