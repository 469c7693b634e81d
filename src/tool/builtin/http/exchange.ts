// One request and its response, over a connection to an address that was judged before: the name is not resolved again.
// Connections are not kept, since a kept one could have been opened under other rules.

import { request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestHttps, type RequestOptions } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { whyRefused } from "./certificate.ts";
import { HttpError } from "./failure.ts";
import { hostOf } from "./host-list.ts";
import { readBody } from "./response-body.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** Names in small letters. */
export type HeaderList = Readonly<Record<string, string>>;

export type Exchange = {
  readonly url: URL;
  readonly method: Method;
  readonly headers: HeaderList;
  readonly body: Buffer | null;
  /** The only ones to connect to. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  /** Of the body, decoded. */
  readonly bytesMax: number;
};

export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
};

export async function exchange(asked: Exchange): Promise<HttpResponse> {
  const { url, method, body } = asked;
  const isSecure = url.protocol === "https:";
  const request = isSecure ? requestHttps(optionsOf(asked)) : requestHttp(optionsOf(asked));
  let isConnected = false;
  request.once("socket", (socket) => {
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      isConnected = true;
    });
  });
  try {
    const answered = responseTo(request);
    request.end(body ?? undefined);
    const response = await answered;
    const bytes = method === "HEAD" ? Buffer.alloc(0) : await readBody(response, asked);
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: bytes };
  } catch (error) {
    const failure = toFailure(error, asked);
    failure.wasSent = isConnected;
    throw failure;
  } finally {
    request.destroy();
  }
}

function optionsOf({ url, method, headers, body, addresses, signal }: Exchange): RequestOptions {
  return {
    method,
    headers: { ...headers, ...(body === null ? {} : { "content-length": String(body.byteLength) }) },
    hostname: hostOf(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    agent: false,
    lookup: pinTo(addresses),
    signal,
    // An answer that could be read in two ways is not believed, nor a server that cannot show who it is, whatever the
    // process was started with.
    insecureHTTPParser: false,
    rejectUnauthorized: true,
  };
}

function pinTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, { all: isAll }, answer) => {
    const [first] = all;
    if (first === undefined) answer(new Error("there is no address"), "");
    else if (isAll === true) answer(null, all);
    else answer(null, first.address, first.family);
  };
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once("response", resolve);
  // Every error, also those after the response: without a listener one would end the process.
  request.on("error", reject);
  request.once("upgrade", (_, socket) => {
    socket.destroy();
    reject(new HttpError("bad_response", "The server wants to speak another protocol."));
  });
  return promise;
}

function headersOf({ headers }: IncomingMessage): HttpResponse["headers"] {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function toFailure(error: unknown, { url: { host }, signal }: Exchange): HttpError {
  if (error instanceof HttpError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  const cause = { cause: error };
  // A response that is stopped on its way says only that it was cut off.
  if (signal.aborted) return new HttpError("timeout", `${host} took too long.`, cause);
  if (code.startsWith("HPE_"))
    return new HttpError("bad_response", `${host} answers with no proper HTTP (${code}).`, cause);
  const reason = whyRefused(code);
  if (reason !== undefined)
    return new HttpError("bad_certificate", `The certificate of ${host} is refused: ${reason} (${code}).`, cause);
  const told = code === "" || message.includes(code) ? message : `${message} (${code})`;
  return new HttpError("connection_failed", `The connection to ${host} failed: ${told}`, cause);
}
