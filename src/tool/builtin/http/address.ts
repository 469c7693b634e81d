// Which addresses a request may go to. Names are no help here: anybody can make a name that leads into this machine or
// its network, so the address itself is judged, after resolving and in all its forms.

import { BlockList, isIPv4, isIPv6 } from "node:net";

/** private: this machine and its network, which a host list may open. forbidden: never, such as the address at which
 *  clouds hand out credentials. */
export type Reach = "public" | "private" | "forbidden";

type Subnet = readonly [address: string, prefix: number];

const privateV4 = listOf("ipv4", [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // shared by providers, and by private overlays
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
]);

const forbiddenV4 = listOf("ipv4", [
  ["0.0.0.0", 8], // on many systems this machine
  ["100.100.100.200", 32], // credentials of a cloud
  ["168.63.129.16", 32], // the same, inside a public range
  ["169.254.0.0", 16], // link-local; credentials of most clouds
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
]);

const privateV6 = listOf("ipv6", [
  ["::1", 128],
  ["fc00::", 7],
]);

/** Inside what is private or public otherwise. */
const forbiddenV6 = listOf("ipv6", [
  ["fd00:ec2::254", 128], // credentials of a cloud
  ["2001::", 23], // tunnels and benchmarks
  ["2001:db8::", 32],
  ["2002::", 16], // a tunnel that names an IPv4 address
  ["3fff::", 20],
]);

/** All that is handed out for the public net; the rest of IPv6 is not to be reached. */
const publicV6 = listOf("ipv6", [["2000::", 3]]);

export function judgeAddress(address: string): Reach {
  if (isIPv4(address)) return judgeV4(address);
  if (!isIPv6(address)) return "forbidden";
  // What stands behind the % names an interface: it is link-local.
  if (address.includes("%")) return "forbidden";
  const embedded = embeddedV4(address);
  if (embedded !== undefined) return judgeV4(embedded);
  if (forbiddenV6.check(address, "ipv6")) return "forbidden";
  if (privateV6.check(address, "ipv6")) return "private";
  return publicV6.check(address, "ipv6") ? "public" : "forbidden";
}

function judgeV4(address: string): Reach {
  if (forbiddenV4.check(address)) return "forbidden";
  return privateV4.check(address) ? "private" : "public";
}

/** `::ffff:a.b.c.d`, and `64:ff9b::a.b.c.d` of networks that reach IPv4 through a translator: the same machine. */
function embeddedV4(address: string): string | undefined {
  // The URL parser writes every form of one address alike.
  const form = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? "";
  const [, high, low] = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(form) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join(".");
}

function listOf(family: "ipv4" | "ipv6", subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}
