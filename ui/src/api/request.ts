// One way to ask the server: JSON in, JSON out, and a problem as an error that says what to do.

import { isObject, type Json } from "../model/json.ts";
import { whomToAsk } from "../model/right.ts";

export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly hint: string | null;
  readonly details: { readonly [name: string]: Json };
  /** By which the log of the server knows the request; null: nobody has answered. */
  readonly requestId: string | null;

  constructor(problem: {
    code: string;
    status: number;
    message: string;
    hint: string | null;
    details: { readonly [name: string]: Json };
    requestId?: string | null;
  }) {
    super(problem.message);
    this.name = "Problem";
    this.code = problem.code;
    this.status = problem.status;
    this.hint = problem.hint;
    this.details = problem.details;
    this.requestId = problem.requestId ?? null;
  }
}

export type Ask = {
  readonly method?: "GET" | "POST" | "DELETE" | "PUT" | "PATCH";
  readonly body?: unknown;
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly signal?: AbortSignal;
  /** Sent twice, it is done once. */
  readonly key?: string;
};

/** Whoever wants to know that the server does not know who is here, any more or yet. */
const strangerHeard = new Set<() => void>();

export function onStranger(hear: () => void): () => void {
  strangerHeard.add(hear);
  return () => strangerHeard.delete(hear);
}

/** With what was told beside it. */
export type Answer<Document> = { readonly document: Document; readonly next: string | null };

export async function ask<Document>(path: string, asked: Ask = {}): Promise<Document> {
  return (await askForPage<Document>(path, asked)).document;
}

/** A page of a list, and the cursor of the next one. */
export async function askForPage<Document>(
  path: string,
  { method = "GET", body, query, signal, key }: Ask = {},
): Promise<Answer<Document>> {
  const response = await fetch(path + toQuery(query), {
    method,
    headers: {
      accept: "application/json",
      "x-stepwell": "1",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  });
  const text = await response.text();
  if (response.status === 401) for (const hear of strangerHeard) hear();
  if (!response.ok) throw toProblem(response.status, text, response.headers.get("x-request-id"));
  return { document: (text === "" ? null : JSON.parse(text)) as Document, next: response.headers.get("x-next-cursor") };
}

function toQuery(query: Ask["query"] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") params.set(name, String(value));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

function unreachable(): Problem {
  return new Problem({
    code: "OFFLINE",
    status: 0,
    message: "The server does not answer.",
    hint: "Is it running? The page asks again by itself.",
    details: {},
  });
}

/** Programs know a refusal by it; people need only the sentence behind it. */
const refusalMark = /^not_allowed "[^"]*": /;

function toProblem(status: number, text: string, requestId: string | null): Problem {
  try {
    const told: unknown = JSON.parse(text);
    if (isObject(told) && typeof told["detail"] === "string") {
      const details = isObject(told["details"]) ? told["details"] : {};
      const isLacking = status === 403 && typeof details["permission"] === "string";
      return new Problem({
        code: typeof told["code"] === "string" ? told["code"] : "UNKNOWN",
        status,
        message: told["detail"].replace(refusalMark, ""),
        hint: typeof told["hint"] === "string" ? told["hint"] : isLacking ? whomToAsk : null,
        details,
        requestId,
      });
    }
  } catch {
    // Something in between has answered, and not in our words.
  }
  return new Problem({
    code: "UNKNOWN",
    status,
    message: `The server answered with ${status}.`,
    hint: null,
    details: {},
    requestId,
  });
}
