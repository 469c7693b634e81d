export const errorCodes = { FLOW_INVALID: { status: 422, exitCode: 6 }, FLOW_UNREADABLE: { status: 400, exitCode: 6 }, FILE_NOT_FOUND: { status: 404, exitCode: 3 }, USAGE: { status: 400, exitCode: 2 } } as const;
export type ErrorCode = keyof typeof errorCodes;
export class StepwellError extends Error {
  readonly code: ErrorCode; readonly details: object | undefined;
  constructor(code: ErrorCode, message: string, options: { readonly details?: object } = {}) { super(message); this.code = code; this.details = options.details; }
}
