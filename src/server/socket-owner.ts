// Whose socket it is that speaks to us from this machine, as the system's own table of connections tells it. Pure.

import { endianness } from "node:os";
import { isIPv4, SocketAddress } from "node:net";

type SocketEnd = { readonly address: string; readonly port: number };

/** As our own side of the connection sees it. */
export type SocketEnds = { readonly remote: SocketEnd; readonly local: SocketEnd };

/** A connection that stands. One that its owner has closed belongs to nobody any more, which the table writes as 0: root. */
const established = "01";
/** Users who have no number here, such as those outside of a container, all look like this one. */
const nobody = 65_534;

/** `tables`: what stands in `/proc/net/tcp` and `/proc/net/tcp6`; undefined: it cannot be told. */
export function findSocketOwner(
  tables: readonly string[],
  { remote, local }: SocketEnds,
  order: "LE" | "BE" = endianness(),
): number | undefined {
  // Most lines are somebody else's, and need not be taken apart.
  const mark = `:${toHexPort(remote.port)} `;
  const [theirs, ours] = [nameOf(remote), nameOf(local)];
  for (const line of tables.flatMap((table) => table.split("\n"))) {
    if (!line.includes(mark)) continue;
    const [, from = "", to = "", state, , , , uid = "", , inode = "0"] = line.trim().split(/\s+/);
    if (state !== established || inode === "0" || !/^\d+$/.test(uid)) continue;
    // It is the other end that counts: what is local there is remote here.
    if (readEnd(from, order) !== theirs || readEnd(to, order) !== ours) continue;
    return Number(uid) === nobody ? undefined : Number(uid);
  }
  return undefined;
}

/** Root may do whatever this user may. */
export function isSameUser(owner: number | undefined, self: number | undefined): boolean {
  return owner !== undefined && self !== undefined && (owner === self || owner === 0);
}

function toHexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** `0100007F:1F90`: words of 32 bits, each as this machine keeps it in memory. */
function readEnd(text: string, order: "LE" | "BE"): string | undefined {
  const [, hex = "", port = ""] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text) ?? [];
  if (hex === "") return undefined;
  const bytes = Buffer.from(hex, "hex");
  if (order === "LE") bytes.swap32();
  const isShort = bytes.length === 4;
  const groups = Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  return nameOf({ address: isShort ? [...bytes].join(".") : groups.join(":"), port: Number.parseInt(port, 16) });
}

/** One spelling for each: `::ffff:127.0.0.1` is 127.0.0.1, also where it stands as numbers in base 16. */
function nameOf({ address, port }: SocketEnd): string {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  const plain = new SocketAddress({ address: address.replace(/%.*$/u, ""), family }).address;
  return `${plain.replace(/^::ffff:(?=\d+\.)/u, "")} ${port}`;
}
