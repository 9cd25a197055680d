/** What this executor calls itself. */
export const NAME = "callproof-executor-node";
export const VERSION = "1.0.0";
export const SPEC_VERSION = "1.0";
export const PROTOCOL_VERSION = "1.0";
