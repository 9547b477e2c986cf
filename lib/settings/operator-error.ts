const brand = Symbol.for("rapport.operator-error");

/** An error that the operator of this server can fix. The message says everything: it is printed without a stack. */
export class OperatorError extends Error {
  readonly [brand] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OperatorError";
  }
}

/** Works across module copies, as `isFault` does. */
export const isOperatorError = (error: unknown): error is OperatorError =>
  typeof error === "object" && error !== null && (error as { [brand]?: true })[brand] === true;
