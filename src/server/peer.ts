// From where somebody comes, as far as they cannot make it up: the socket says it, and of those who stand between only the
// proxies that the operator has named.

import { isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

export type Peer = {
  /** `203.0.113.7`; of IPv6 the network, since a house has all of it; `local` without a socket. */
  readonly address: string;
  readonly isHttps: boolean;
};

export function findPeer(context: Context, trustedProxies: readonly string[]): Peer {
  const socket = socketAddress(context);
  const isTrusted = (address: string): boolean => trustedProxies.some((proxy) => plain(proxy) === address);
  const isBehind = isTrusted(socket);
  const scheme = isBehind ? context.req.header("x-forwarded-proto") : undefined;
  return {
    address: networkOf(isBehind ? forwardedFor(context, isTrusted, socket) : socket),
    isHttps: (scheme ?? context.req.url.split(":", 1)[0]) === "https",
  };
}

/** Each proxy adds who came to it at the end; what stands before the last foreign one, that one has made up. */
function forwardedFor(context: Context, isTrusted: (address: string) => boolean, socket: string): string {
  const named = (context.req.header("x-forwarded-for") ?? "").split(",").map(plain);
  return named.findLast((address) => address !== "" && !isTrusted(address)) ?? socket;
}

function socketAddress(context: Context): string {
  // A request without a socket, as tests and programs that embed the service make them.
  const hasSocket = typeof context.env === "object" && context.env !== null && "incoming" in context.env;
  return hasSocket ? plain(getConnInfo(context).remote.address ?? "local") : "local";
}

/** An IPv4 address may be dressed up as IPv6. */
function plain(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/u, "")
    .slice(0, 50);
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = "", after] = address.replace(/%.*$/u, "").split("::");
  const [head, tail] = [groupsOf(before), groupsOf(after ?? "")];
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const whole = after === undefined ? head : [...head, ...zeros, ...tail];
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/u, ""))
    .join(":")}::/64`;
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
