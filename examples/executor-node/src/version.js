/** The name of this executor. */
export const NAME = "callproof-executor-node";
export const VERSION = "1.0.0";
export const SPEC_VERSION = "1.0";
export const PROTOCOL_VERSION = "1.0";
