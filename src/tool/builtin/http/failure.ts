// How a request can fail. A mistake is told at once (final); what may be better next time is tried again.

import { ToolError } from "../../function.ts";

/** Whether trying again would not help. */
const isFinalByCode = {
  bad_args: true,
  tool_off: true,
  host_not_allowed: true,
  address_blocked: true,
  bad_redirect: true,
  bad_certificate: true,
  response_too_large: true,
  host_not_found: false,
  connection_failed: false,
  bad_response: false,
  timeout: false,
} as const;

export class HttpError extends ToolError {
  override readonly name: string = "HttpError";
  /** The request may have been read and acted on. Set by whoever knows the connection. */
  wasSent = false;

  constructor(code: keyof typeof isFinalByCode, message: string, options: { readonly cause?: unknown } = {}) {
    super({ code, message, isFinal: isFinalByCode[code], ...options });
  }
}
