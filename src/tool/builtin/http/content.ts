// What the bytes of a response mean: their type and how they are written.

import type { Json } from "../../../flow/json.ts";
import type { HttpResponse } from "./exchange.ts";

/** In small letters, without parameters; "" where there is none. */
function mediaTypeOf({ headers }: Pick<HttpResponse, "headers">): string {
  return (contentType(headers).split(";")[0] ?? "").trim().toLowerCase();
}

export function charsetOf({ headers }: Pick<HttpResponse, "headers">): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType(headers))?.[1];
}

function contentType(headers: HttpResponse["headers"]): string {
  const value = headers["content-type"];
  return typeof value === "string" ? value : "";
}

/** JSON where the response says that it is, and it is; else text. What cannot be read as text becomes U+FFFD. */
export function contentOf(response: Pick<HttpResponse, "headers" | "body">): Json {
  const text = decode(response.body, charsetOf(response) ?? "utf-8") ?? decode(response.body, "utf-8") ?? "";
  if (!/^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(mediaTypeOf(response))) return text;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    // It only says so.
    return text;
  }
}

/** undefined: nobody knows a charset of this name. */
export function decode(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return undefined;
  }
}
