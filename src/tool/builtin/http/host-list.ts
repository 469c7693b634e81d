// Hosts that flows may reach, as the operator writes them:
//   api.example.com            this host, at the ports 80 and 443
//   api.example.com:8443       this host, at this port alone
//   *.example.com              every name below it, not example.com itself
//   private:localhost:3000     this host and port, though it may lead into this machine or its network

import { isIP } from "node:net";
import { StepwellError } from "../../../error.ts";

export type HostList = {
  readonly isEmpty: boolean;
  /** Whether a URL may be asked, and whether its address may be private. */
  allow(url: URL): { readonly mayBePrivate: boolean } | undefined;
};

type Entry = {
  readonly host: string;
  /** Every name below the host instead. */
  readonly isBelow: boolean;
  readonly port: string | null;
  readonly mayBePrivate: boolean;
};

const usualPorts: ReadonlySet<string> = new Set(["80", "443"]);

export function createHostList(written: readonly string[]): HostList {
  const entries = written.map(parseEntry);
  return {
    isEmpty: entries.length === 0,
    allow: (url) => {
      const fitting = entries.filter((entry) => fits(entry, url));
      if (fitting.length === 0) return undefined;
      return { mayBePrivate: fitting.some(({ mayBePrivate }) => mayBePrivate) };
    },
  };
}

function fits({ host, isBelow, port }: Entry, url: URL): boolean {
  const given = hostOf(url);
  const usedPort = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const isPort = port === null ? usualPorts.has(usedPort) : port === usedPort;
  // An address is never below a name.
  return isPort && (isBelow ? given.endsWith(`.${host}`) && isIP(given) === 0 : given === host);
}

/** Without the brackets of IPv6, and without the dot at the end that means the same name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function parseEntry(written: string): Entry {
  const mayBePrivate = written.startsWith("private:");
  const place = mayBePrivate ? written.slice("private:".length) : written;
  const isBelow = place.startsWith("*.");
  const [, name, port = null] =
    /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s[\]*\\]+)(?::(\d{1,5}))?$/.exec(place.slice(isBelow ? 2 : 0)) ?? [];
  const url = name === undefined ? null : URL.parse(`http://${name}/`);
  if (url === null) throw badEntry(written, "it is no host");
  if (port !== null && (Number(port) < 1 || Number(port) > 65_535)) throw badEntry(written, "there is no such port");
  const host = hostOf(url);
  if (isBelow && (!host.includes(".") || isIP(host) !== 0)) throw badEntry(written, "what is below it is too much");
  if (mayBePrivate && (port === null || isBelow)) throw badEntry(written, "a private one needs one host and its port");
  return { host, isBelow, port: port === null ? null : String(Number(port)), mayBePrivate };
}

function badEntry(written: string, reason: string): StepwellError {
  return new StepwellError("USAGE", `"${written.slice(0, 200)}" in the list of hosts cannot be used: ${reason}.`, {
    hint: 'write "api.example.com", "api.example.com:8443", "*.example.com" or "private:localhost:3000"',
  });
}
