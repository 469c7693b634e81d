import { describe, expect, test } from "vitest";
import { judgeAddress } from "./address.ts";

describe("an address", () => {
  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::5",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
  ])("%s is public", (address) => expect(judgeAddress(address)).toBe("public"));

  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "0:0:0:0:0:0:0:1",
    "fc00::1",
    "fdff:ffff::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:FFFF:192.168.0.1",
    "64:ff9b::10.0.0.1",
  ])("%s is private", (address) => expect(judgeAddress(address)).toBe("private"));

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "169.254.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "::1%lo",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:0.0.0.0",
    "::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "5f00::1",
    "",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
  ])("%s is forbidden, whoever lists its host", (address) => expect(judgeAddress(address)).toBe("forbidden"));
});
