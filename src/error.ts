// The one error that the library throws, and the one table that says how each door answers it. Expected failures are
// values; this is for "cannot go on". It knows no other module, so all may use it.

/** HTTP status and exit code of each code; docs/errors.md explains them, and a test compares the two. */
export const errorCodes = {
  FLOW_INVALID: { status: 422, exitCode: 6 },
  FLOW_UNREADABLE: { status: 400, exitCode: 6 },
  FILE_NOT_FOUND: { status: 404, exitCode: 3 },
  USAGE: { status: 400, exitCode: 2 },
  INPUT_INVALID: { status: 422, exitCode: 6 },
  STORE_UNREADABLE: { status: 500, exitCode: 5 },
  STORE_READ_ONLY: { status: 503, exitCode: 5 },
  STORE_FULL: { status: 507, exitCode: 5 },
  STORE_NOT_OURS: { status: 500, exitCode: 5 },
  STORE_NEWER: { status: 500, exitCode: 5 },
  STORE_CORRUPT: { status: 500, exitCode: 5 },
  STORE_NOT_DURABLE: { status: 500, exitCode: 5 },
  STORE_BUSY: { status: 503, exitCode: 5 },
  STORE_LOST: { status: 503, exitCode: 5 },
  STORE_UNREACHABLE: { status: 503, exitCode: 5 },
  STORE_MOVED: { status: 410, exitCode: 5 },
  STORE_POOLED: { status: 500, exitCode: 5 },
  TX_NEEDS_POSTGRES: { status: 400, exitCode: 2 },
  RUN_NOT_FOUND: { status: 404, exitCode: 3 },
  STEP_NOT_FOUND: { status: 404, exitCode: 3 },
  WORKFLOW_NOT_FOUND: { status: 404, exitCode: 3 },
  WORKFLOW_DISABLED: { status: 409, exitCode: 10 },
  TOOL_NOT_FOUND: { status: 404, exitCode: 3 },
  TOOL_SERVER_NOT_FOUND: { status: 404, exitCode: 3 },
  TOOL_SERVER_TROUBLE: { status: 503, exitCode: 5 },
  LOCK_UNUSABLE: { status: 500, exitCode: 5 },
  PRINCIPAL_NOT_FOUND: { status: 404, exitCode: 3 },
  TOKEN_NOT_FOUND: { status: 404, exitCode: 3 },
  SECRET_NOT_FOUND: { status: 404, exitCode: 3 },
  SECRET_KEY_UNUSABLE: { status: 500, exitCode: 5 },
  NOT_LOGGED_IN: { status: 401, exitCode: 4 },
  NOT_ALLOWED: { status: 403, exitCode: 4 },
  NO_SUCH_ROUTE: { status: 404, exitCode: 3 },
  BODY_UNREADABLE: { status: 400, exitCode: 6 },
  TOO_LARGE: { status: 413, exitCode: 6 },
  PORT_UNUSABLE: { status: 500, exitCode: 5 },
  SERVER_UNREACHABLE: { status: 503, exitCode: 5 },
  SERVER_UNUSABLE: { status: 502, exitCode: 5 },
  TOO_MANY_REQUESTS: { status: 429, exitCode: 5 },
  KEY_REUSED: { status: 422, exitCode: 10 },
  REFUSED: { status: 409, exitCode: 10 },
  OVERLOADED: { status: 503, exitCode: 5 },
  ENGINE_STOPPED: { status: 503, exitCode: 5 },
  NO_ANSWER: { status: 504, exitCode: 5 },
  OUTCOME_UNKNOWN: { status: 503, exitCode: 5 },
  WAIT_TIMED_OUT: { status: 504, exitCode: 8 },
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
