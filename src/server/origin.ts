// Against pages that speak to us through their visitor's browser: the name by which we are called must be one of ours
// (a foreign name that points to this machine is not), and a browser must say that the request comes from our own page.

import { StepwellError } from "../error.ts";
import { isPagePath } from "./page.ts";

export type Place = {
  /** Only this machine can come here. */
  readonly isLoopback: boolean;
  /** Names by which we are called, with or without a port, besides those of this machine; `any` where nobody is let in
   *  without a token, so that a foreign name gives nothing away. */
  readonly hosts?: readonly string[] | "any";
};

const local: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** `path`: by which its route is found; an address may be spelt in other ways. */
export function checkOrigin(request: Request, path: string, { hosts = [] }: Place): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!isOurs(host, hosts))
    throw new StepwellError("NOT_ALLOWED", `This service is not called "${host.slice(0, 200)}".`, {
      hint: "Call it localhost or 127.0.0.1, or start it with --allow-host NAME.",
      details: { code: "foreign_host" },
    });
  const origin = request.headers.get("origin");
  if (origin !== null && !isSameOrigin(origin, host)) throw foreignPage();
  // A browser says where a request comes from also when it sends no origin.
  const site = request.headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none" || isVisit(request, path)) return;
  throw foreignPage();
}

/** A link on another site that leads to the page: it is shown to whoever followed it, and the other site sees nothing. */
function isVisit({ method, headers }: Request, path: string): boolean {
  const isReading = method === "GET" || method === "HEAD";
  const isWhole = headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
  return isReading && isWhole && isPagePath(path);
}

function foreignPage(): StepwellError {
  return new StepwellError("NOT_ALLOWED", "Pages of other sites may not speak to this service.", {
    details: { code: "foreign_origin" },
  });
}

function isOurs(host: string, hosts: readonly string[] | "any"): boolean {
  if (hosts === "any") return true;
  const name = nameOf(host);
  return local.has(name) || hosts.some((each) => each.toLowerCase() === name || each.toLowerCase() === host);
}

function isSameOrigin(origin: string, host: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.host === host.toLowerCase();
}

/** Without its port. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d{1,5}$/u, "");
}
