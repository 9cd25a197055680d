"""The reference executor: small enough to read in one sitting."""
