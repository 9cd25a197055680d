"""The reference pipeline: small enough to read in one sitting, and judged by the suite like any other."""
