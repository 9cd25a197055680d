"""The reference under the invocation contract: small enough to read in one sitting, and judged like any other."""
