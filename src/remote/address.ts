// Where a server is: its URL, with or without a path below which it is mounted, and the token for it. What is secret in
// them is never shown.

import { StepwellError } from "../error.ts";

export type ServerAddress = {
  /** Without a slash at its end, a user, a query: as people may see it. */
  readonly url: string;
};

export type Query = { readonly [name: string]: string | number | undefined };

/** A server gives no more at once. */
export const pageMax = 1000;

const hint = "http://localhost:7700, or https://example.com/flows where it is mounted";

export function parseServerUrl(text: string): ServerAddress {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new StepwellError("USAGE", "The URL is no address of a server.", { hint });
  if (url.username !== "" || url.password !== "")
    throw new StepwellError("USAGE", "A URL has no place for a user or a password; a token says who you are.", {
      hint,
    });
  return { url: `${url.origin}${url.pathname.replace(/\/+$/u, "")}` };
}

/** As it may stand in a header; what it is made of is never told, not even when it is wrong. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (/^[\u0021-\u007E]+$/u.test(token)) return token;
  throw new StepwellError(
    "USAGE",
    "The token is none: it is empty, or has blanks, line breaks or letters in it that no token has.",
    {
      hint: "Give it as stepwell token create has shown it, in one line.",
    },
  );
}

/** `toPath("api/users", "group:staff", "grant")` */
export function toPath(base: string, ...parts: readonly (string | number)[]): string {
  return [base, ...parts.map(encodePart)].join("/");
}

/** What would lead elsewhere when it stands in an address is the name of nothing. */
function encodePart(part: string | number): string {
  const text = String(part);
  if (text !== "" && text !== "." && text !== "..") return encodeURIComponent(text);
  throw new StepwellError("INPUT_INVALID", `"${text}" is no name.`);
}

export function toUrl({ url }: ServerAddress, path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return `${url}/${path}${given.size === 0 ? "" : `?${given.toString()}`}`;
}
