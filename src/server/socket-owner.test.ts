import { describe, expect, test } from "vitest";
import { findSocketOwner, isSameUser, type SocketEnds } from "./socket-owner.ts";

const header =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                       ";
const line = (from: string, to: string, { state = "01", uid = 1000, inode = 287_893 } = {}): string =>
  `  83: ${from} ${to} ${state} 00000000:00000000 02:0000176F 00000000  ${String(uid).padStart(4)}        0 ${inode} 3 00000000ea745c6e 20 0 0 11 -1`;
const table = (...lines: readonly string[]): string => `${[header, ...lines].join("\n")}\n`;

const ends = (remote: string, local: string): SocketEnds => ({
  remote: { address: remote, port: 40_860 },
  local: { address: local, port: 4000 },
});
const theirs = "0100007F:9F9C";
const ours = "0100007F:0FA0";
const loopback = ends("127.0.0.1", "127.0.0.1");

describe("the owner of a socket on this machine", () => {
  test.each<[string, string, SocketEnds]>([
    ["IPv4", line(theirs, ours), loopback],
    [
      "IPv6",
      line("00000000000000000000000001000000:9F9C", "00000000000000000000000001000000:0FA0"),
      ends("::1", "0:0:0:0:0:0:0:1"),
    ],
    [
      "IPv6 with all its digits",
      line("B80D0120000000000000000034120000:9F9C", "B80D0120000000000000000001000000:0FA0"),
      ends("2001:db8::1234", "2001:DB8::1"),
    ],
    ["IPv4 to a socket of both kinds", line(theirs, ours), ends("::ffff:127.0.0.1", "::ffff:127.0.0.1")],
    [
      "IPv4 from a socket of both kinds",
      line("0000000000000000FFFF00000100007F:9F9C", "0000000000000000FFFF00000100007F:0FA0"),
      loopback,
    ],
  ])("is found, over %s", (_, found, seen) => {
    expect(findSocketOwner(["", table(line(ours, theirs, { uid: 0 }), found)], seen, "LE")).toBe(1000);
  });

  test("is found on machines that keep numbers the other way round", () => {
    const lines = table(line("7F000001:9F9C", "7F000001:0FA0"));
    expect(findSocketOwner([lines], loopback, "BE")).toBe(1000);
    expect(findSocketOwner([lines], loopback, "LE")).toBeUndefined();
  });

  test.each<[string, string]>([
    ["our own end", line(ours, theirs)],
    ["a connection from the same port to another", line(theirs, "0100007F:0FA1")],
    ["a connection of the same ports from another address", line("0200007F:9F9C", ours)],
    ["one that was closed, and is nobody's", line(theirs, ours, { state: "05", uid: 0, inode: 0 })],
    ["one that is nobody's, whatever its state", line(theirs, ours, { uid: 0, inode: 0 })],
    ["one that is half closed", line(theirs, ours, { state: "04" })],
    ["somebody who has no number here", line(theirs, ours, { uid: 65_534 })],
    ["no line at all", "83: nonsense :9F9C "],
  ])("is not taken from %s", (_, found) => {
    expect(findSocketOwner([table(found)], loopback, "LE")).toBeUndefined();
  });
});

test.each<[string, number | undefined, number | undefined, boolean]>([
  ["the same user", 1000, 1000, true],
  ["root", 0, 1000, true],
  ["another user", 1001, 1000, false],
  ["another user, of an engine of root's", 1000, 0, false],
  ["somebody of whom nothing is known", undefined, 1000, false],
  ["anybody, on a system without numbers of users", 1000, undefined, false],
])("who may start programs: %s", (_, owner, self, isAllowed) => {
  expect(isSameUser(owner, self)).toBe(isAllowed);
});

test("a line of another user refuses, whoever else is connected", () => {
  const lines = table(line("0100007F:9F9D", ours, { uid: 1000 }), line(theirs, ours, { uid: 1001 }));
  expect(isSameUser(findSocketOwner([lines], loopback, "LE"), 1000)).toBe(false);
});
