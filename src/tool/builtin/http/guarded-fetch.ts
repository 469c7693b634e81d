// Requests that flows may make: only to listed hosts, only to addresses that were judged after resolving, each hop of a
// redirect like the first, and all of it within one size and one time.

import { isIP } from "node:net";
import { judgeAddress } from "./address.ts";
import type { HeaderList, HttpResponse, Method } from "./exchange.ts";
import { HttpError } from "./failure.ts";
import { hostOf, type HostList } from "./host-list.ts";

export type HttpRequest = {
  readonly url: string;
  readonly method: Method;
  readonly headers: HeaderList;
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
};

/** What came in the end, and from where. */
export type Fetched = HttpResponse & { readonly url: string };

/** Fails with an `HttpError`. */
export type GuardedFetch = (request: HttpRequest) => Promise<Fetched>;

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type FetchGuards = {
  readonly hosts: HostList;
  readonly resolve?: Resolve;
  /** Of a response's body, decoded. */
  readonly bytesMax?: number;
};

const redirectsMax = 5;
const bytesMaxUsual: number = 4 * 1024 * 1024;
const urlLengthMax = 8192;

export function createGuardedFetch({
  hosts,
  resolve = resolveName,
  bytesMax = bytesMaxUsual,
}: FetchGuards): GuardedFetch {
  return async (request) => {
    if (hosts.isEmpty)
      throw new HttpError("tool_off", "No host may be reached yet; whoever runs the engine lists them.");
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)]);
    // Node's HTTP takes its time to load, which programs that never use it need not spend.
    const { exchange } = await import("./exchange.ts");
    let hop: Hop = { ...request, url: parseUrl(request.url, undefined) };
    let mayHaveHappened = false;
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      try {
        const addresses = await addressesOf(hop.url, { hosts, resolve, signal });
        const response = await exchange({ ...hop, addresses, signal, bytesMax });
        // It was answered with "look there": what it asked for may have been done, also if nobody can look there.
        mayHaveHappened ||= afterwards.has(response.status);
        const next = nextHop(hop, response);
        if (next === undefined) return { ...response, url: hop.url.href };
        hop = next;
      } catch (error) {
        if (error instanceof HttpError) error.wasSent ||= mayHaveHappened;
        throw error;
      }
    }
    const failure = new HttpError(
      "bad_redirect",
      `More than ${redirectsMax} redirects; the last one to ${hop.url.host}.`,
    );
    failure.wasSent = mayHaveHappened;
    throw failure;
  };
}

type Hop = Pick<HttpRequest, "method" | "headers" | "body"> & { readonly url: URL };

/** `base`: a redirect may name its target in short. */
function parseUrl(text: string, base: URL | undefined): URL {
  const url = text.length > urlLengthMax ? null : URL.parse(text, base?.href);
  const code = base === undefined ? "bad_args" : "bad_redirect";
  if (url === null) throw new HttpError(code, "The address is no URL.");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new HttpError(code, `Only http and https can be asked, not ${url.protocol.slice(0, 20)}`);
  if (url.username !== "" || url.password !== "")
    throw new HttpError(code, "A URL must not carry a user or password; send them in a header.");
  return url;
}

type Door = { readonly hosts: HostList; readonly resolve: Resolve; readonly signal: AbortSignal };

/** All of them must be fit: of a name with several, any may be tried. */
async function addressesOf(url: URL, { hosts, resolve, signal }: Door): Promise<readonly string[]> {
  const allowed = hosts.allow(url);
  if (allowed === undefined) throw new HttpError("host_not_allowed", `${url.host} is not in the list of hosts.`);
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolveWithin(host, resolve, signal) : [host];
  for (const address of addresses) {
    const reach = judgeAddress(address);
    if (reach === "public" || (reach === "private" && allowed.mayBePrivate)) continue;
    // The address itself is not told: it would describe the network to whoever wrote the flow.
    throw new HttpError("address_blocked", `${url.host} leads to an address that is not public.`);
  }
  return addresses;
}

async function resolveWithin(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new HttpError("timeout", `Looking for ${host} took too long.`));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  try {
    const addresses = await Promise.race([resolve(host), stopped]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError("host_not_found", `The host ${host} cannot be found.`, { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  throw new HttpError("host_not_found", `The host ${host} has no address.`);
}

async function resolveName(host: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** The others say that the request is to be made elsewhere instead. */
const afterwards: ReadonlySet<number> = new Set([301, 302, 303]);

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** undefined: this response is the answer. */
function nextHop(hop: Hop, { status, headers }: HttpResponse): Hop | undefined {
  const { location } = { location: headers["location"] };
  if (!redirects.has(status) || typeof location !== "string") return undefined;
  const url = parseUrl(location, hop.url);
  if (hop.url.protocol === "https:" && url.protocol === "http:")
    throw new HttpError("bad_redirect", `${hop.url.host} leads to ${url.host} without encryption.`);
  const kept = url.origin === hop.url.origin ? hop.headers : withoutCredentials(hop.headers);
  if (!becomesGet(status, hop.method)) return { ...hop, url, headers: kept };
  const { "content-type": _, ...rest } = kept;
  return { url, method: "GET", headers: rest, body: null };
}

/** As browsers do it. */
function becomesGet(status: number, method: Method): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

/** What another host may see. Keys travel in headers of any name, so few are known to be harmless. */
const harmless: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "user-agent",
]);

function withoutCredentials(headers: HeaderList): HeaderList {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
}
