// The one error that the library throws, and the one table that says how each door answers it. Expected failures are
// values; this is for "cannot go on". It knows no other module, so all may use it.

/** HTTP status and exit code of each code; docs/errors.md explains them, and a test compares the two. */
export const errorCodes = {
  FLOW_INVALID: { status: 422, exitCode: 6 },
  FLOW_UNREADABLE: { status: 400, exitCode: 6 },
  FILE_NOT_FOUND: { status: 404, exitCode: 3 },
  USAGE: { status: 400, exitCode: 2 },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** `new StepwellError("FILE_NOT_FOUND", "There is no file a.yaml; check the path.", { hint: "..." })` */
export class StepwellError extends Error {
  override readonly name: string = "StepwellError";
  readonly code: ErrorCode;
  /** One more sentence for whoever wants to help themselves. */
  readonly hint: string | undefined;
  /** What a program can use, such as `{ findings }`. */
  readonly details: object | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly hint?: string; readonly details?: object; readonly cause?: unknown } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : {});
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }
}
