// The body of a response, all of it or none. Its size is counted after decoding: a few bytes may become gigabytes.

import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { HttpError } from "./failure.ts";

/** The request asks for none of these; some servers do it all the same. */
const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

export type BodyLimits = { readonly bytesMax: number; readonly signal: AbortSignal };

export async function readBody(response: IncomingMessage, { bytesMax, signal }: BodyLimits): Promise<Buffer> {
  try {
    return await readAll(response, bytesMax);
  } catch (error) {
    if (error instanceof HttpError || signal.aborted) throw error;
    throw new HttpError("bad_response", "The response was cut off, or cannot be decoded.", { cause: error });
  }
}

async function readAll(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(response.headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(response)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  // A connection that ends early looks like the end to a decoder that has seen its own.
  if (!response.complete) throw new HttpError("bad_response", "The response was cut off.");
  return Buffer.concat(chunks, bytes);
}

function decoded(response: IncomingMessage): AsyncIterable<Buffer> {
  const coding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity" || hasNoBody(response)) return response;
  const create = decoders.get(coding);
  if (create === undefined) throw new HttpError("bad_response", `The response is encoded as "${coding.slice(0, 50)}".`);
  return decodedBy(response, create());
}

function hasNoBody({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode === 204 || statusCode === 304 || headers["content-length"] === "0";
}

/** Whichever of the two is left early, the other one is closed as well. */
async function* decodedBy(response: Readable, decoder: Transform): AsyncGenerator<Buffer, void, undefined> {
  response.once("error", (error) => decoder.destroy(error));
  response.pipe(decoder);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } finally {
    response.destroy();
    decoder.destroy();
  }
}

function tooLarge(bytesMax: number): HttpError {
  return new HttpError("response_too_large", `The response has more than ${bytesMax} bytes.`);
}
