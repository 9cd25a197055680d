/** A run that must not start, and why. */
export class Refusal extends Error {
  /**
   * @param {string} reason The kind of fault, for programs.
   * @param {string} message The fault, for people.
   * @param {string} [pointer] Where in the plan or policy it lies.
   */
  constructor(reason, message, pointer) {
    super(message);
    this.reason = reason;
    this.pointer = pointer;
  }

  /** The data of error -32001. */
  get data() {
    return { code: "VALIDATION_ERROR", message: this.message, details: { reason: this.reason, pointer: this.pointer } };
  }
}
