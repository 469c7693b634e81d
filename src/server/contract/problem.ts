// How the service says that something went wrong: RFC 9457.

export type ProblemDocument = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** As in docs/errors.md. */
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly details?: { readonly [name: string]: unknown };
  /** Of the request, as in the header `X-Request-Id` and in the log. */
  readonly request_id?: string;
};
