// `http.request`: off until whoever runs the engine lists the hosts that flows may reach. A response is a result,
// whatever its status. A request that may have been acted on, and was not answered, is lost: nobody says that it failed.

import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../flow/json.ts";
import { asChecked } from "../answer.ts";
import { defineTool, ToolError, type ToolContext } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments, readBoolean, readCount, readObject, readText, readTextOr } from "./arguments.ts";
import { contentOf } from "./http/content.ts";
import type { HeaderList, Method } from "./http/exchange.ts";
import { HttpError } from "./http/failure.ts";
import type { Fetched, GuardedFetch, HttpRequest } from "./http/guarded-fetch.ts";
import { describeOverflow } from "./overflow.ts";
import { anything, closed, text, whole, yesOrNo } from "./schema.ts";

const methods: readonly Method[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const harmlessMethods: ReadonlySet<Method> = new Set<Method>(["GET", "HEAD", "OPTIONS"]);
const timeoutMsMax = 300_000;
const timeoutMsUsual = 30_000;
const bodyBytesMax: number = 4 * 1024 * 1024;

const input: JsonObject = closed(
  {
    url: text("http or https, to a listed host"),
    method: { enum: [...methods], description: "GET unless given" },
    query: { type: "object", description: "Parameters to add to the URL" },
    headers: { type: "object", additionalProperties: { type: "string" }, maxProperties: 50 },
    body: { description: "A text as it is, anything else as JSON" },
    timeout_ms: whole("For all of it, redirects included; 30000 unless given", { minimum: 1, maximum: timeoutMsMax }),
    fail_on_error_status: yesOrNo("Fail with a status of 400 or more, and try again where that may help"),
  },
  ["url"],
);

const output: JsonObject = closed(
  {
    status: { type: "integer" },
    url: text("Where it came from in the end"),
    headers: { type: "object", description: "Names in small letters" },
    body: anything,
  },
  ["status", "url", "headers", "body"],
);

/** Stands for "nobody knows" on the way out of the function, which can only return or throw. */
const lostCode = "unknown_outcome";

export function createHttpTool(fetch: GuardedFetch): Tool {
  const tool = defineTool({
    name: "http.request",
    description: "Asks a web service and gives its status, headers and body; for a GET, say effect: read in the step",
    effect: "write",
    input,
    output,
    call: (args, context: ToolContext) => send(fetch, args, context),
  });
  return asChecked({
    ...tool,
    call: async (context) => {
      const answer = await tool.call(context);
      return answer.kind === "failed" && answer.code === lostCode ? { kind: "lost" } : answer;
    },
  });
}

async function send(fetch: GuardedFetch, args: JsonObject, context: ToolContext): Promise<Json> {
  const request = toRequest(args, context);
  const answered = fetch(request).then((response) => {
    if (readBoolean(args, "fail_on_error_status")) refuseErrorStatus(response);
    return toResult(response);
  });
  return answered.catch((error: unknown) => {
    if (!(error instanceof HttpError) || !error.wasSent || harmlessMethods.has(request.method)) throw error;
    context.log(`The request was sent and not answered: ${error.message}`);
    throw new ToolError({ code: lostCode, message: error.message, cause: error });
  });
}

function toResult(response: Fetched): Json {
  const { status, url, headers, body } = response;
  const result = { status, url, headers, body: contentOf(response) };
  const overflow = describeOverflow(result, body.byteLength);
  if (overflow === undefined) return result;
  const advice =
    "Ask for less, such as one page or fewer fields, or ask in a tool of your own that returns only what the flow needs.";
  const failure = new HttpError("response_too_large", `The response of ${new URL(url).host} ${overflow}. ${advice}`);
  // As with any response that is too large: it was acted on, and what came of it cannot be kept.
  failure.wasSent = true;
  throw failure;
}

/** Too busy, too early, out of order: another time it may be well. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

export function refuseErrorStatus({ status, url }: Pick<Fetched, "status" | "url">): void {
  if (status < 400) return;
  const message = `${new URL(url).host} answered with the status ${status}.`;
  throw new ToolError({ code: "http_status", message, isFinal: status < 500 && !passing.has(status) });
}

function toRequest(args: JsonObject, { idempotencyKey, signal }: ToolContext): HttpRequest {
  const named = readTextOr(args, "method", "GET");
  const method = methods.find((known) => known === named);
  if (method === undefined) throw badArguments(`"method" must be one of ${methods.join(", ")}.`);
  const content = toContent(args["body"] ?? null);
  if (content !== null && harmlessMethods.has(method)) throw badArguments(`A ${method} takes no "body".`);
  return {
    url: withQuery(readText(args, "url"), readObject(args, "query")),
    method,
    headers: {
      accept: "*/*",
      "accept-encoding": "identity",
      "user-agent": "stepwell",
      ...(content === null ? {} : { "content-type": content.type }),
      ...(harmlessMethods.has(method) ? {} : keyHeaders(idempotencyKey)),
      ...readHeaders(readObject(args, "headers")),
    },
    body: content?.bytes ?? null,
    signal,
    timeoutMs: readCount(args, "timeout_ms", { min: 1, max: timeoutMsMax, otherwise: timeoutMsUsual }),
  };
}

/** No space around it: it would be lost on the way. */
const fittingKey = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Under our own name, and under the one that services look for; some proxies drop names with a dot. */
function keyHeaders(key: string): HeaderList {
  // A flow may set any text as its key; a header holds only some, and two keys must never become one.
  const value = fittingKey.test(key) ? key : createHash("sha256").update(key).digest("hex");
  return { "stepwell.idempotency-key": value, "idempotency-key": value };
}

function toContent(body: Json): { readonly bytes: Buffer; readonly type: string } | null {
  if (body === null) return null;
  const isText = typeof body === "string";
  const bytes = Buffer.from(isText ? body : JSON.stringify(body));
  if (bytes.byteLength > bodyBytesMax) throw badArguments(`"body" has more than ${bodyBytesMax} bytes.`);
  return { bytes, type: isText ? "text/plain; charset=utf-8" : "application/json" };
}

function withQuery(url: string, query: JsonObject): string {
  const parsed = URL.parse(url);
  // What is no URL is refused where it is asked.
  if (parsed === null || Object.keys(query).length === 0) return url;
  for (const [name, value] of Object.entries(query)) {
    if (value === null || typeof value === "object")
      throw badArguments('"query" takes texts, numbers, true and false.');
    parsed.searchParams.append(name, String(value));
  }
  return parsed.href;
}

/** What the connection itself says; a flow that set it could smuggle a second request. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/;
/** Tabs, what can be seen of ASCII, and Latin-1. No line breaks: they would begin another header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;

function readHeaders(headers: JsonObject): HeaderList {
  const read = new Map<string, string>();
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (ownHeaders.has(name)) throw badArguments(`The header "${name}" cannot be set.`);
    if (typeof value !== "string") throw badArguments(`The header "${name.slice(0, 100)}" must be a text.`);
    if (read.has(name)) throw badArguments(`The header "${name.slice(0, 100)}" is given twice.`);
    if (!headerName.test(name) || !headerValue.test(value))
      throw badArguments(`The header "${name.slice(0, 100)}" has signs in it that no header can have.`);
    read.set(name, value);
  }
  return Object.fromEntries(read);
}
