// Certificates for servers of a test's own, made on the spot: X.509 in DER, with keys on P-256. Only what a client looks
// at is in them: names, dates, who signed, and whether it may sign others.

import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

export type Certificate = {
  readonly cert: string;
  readonly key: string;
};

export type Authority = Certificate & { readonly name: string };

type Wish = {
  /** What it is for: `DNS:shop.example`, `IP:127.0.0.1`. */
  readonly names: readonly string[];
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
  /** Itself unless given. */
  readonly by?: Authority;
};

export function createAuthority(name: string): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const maySign = extension("55 1d 13", sequence(der(0x01, Buffer.from([0xff]))), true);
  const cert = write({ subject: name, issuer: name, publicKey, signer: privateKey, extensions: [maySign] });
  return { name, cert, key: toPem(privateKey) };
}

export function createCertificate({ names, from = -1, until = 30, by }: Wish): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = "server of a test";
  const cert = write({
    subject,
    issuer: by?.name ?? subject,
    publicKey,
    signer: by === undefined ? privateKey : createPrivateKey(by.key),
    extensions: [extension("55 1d 11", sequence(...names.map(alternativeName)), false)],
    days: [from, until],
  });
  return { cert, key: toPem(privateKey) };
}

type Written = {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly days?: readonly [from: number, until: number];
};

/** SHA-256 with ECDSA. */
const algorithm: Buffer = sequence(objectId("2a 86 48 ce 3d 04 03 02"));

function write({ subject, issuer, publicKey, signer, extensions, days = [-1, 30] }: Written): string {
  const toSign = sequence(
    // The third version.
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 126)])),
    algorithm,
    commonName(issuer),
    sequence(...days.map(instant)),
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  const bytes = sequence(toSign, algorithm, bits(sign("sha256", toSign, signer)));
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

function toPem(key: KeyObject): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}

/** A tag, a length, and what is in it. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const sizes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...sizes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId("55 04 03"), der(0x0c, Buffer.from(name)))));
}

function instant(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, "");
  return der(0x18, Buffer.from(text));
}

function alternativeName(written: string): Buffer {
  const name = written.replace(/^(?:DNS|IP):/, "");
  return written.startsWith("IP:") ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));
}

function extension(id: string, content: Buffer, isCritical: boolean): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...critical, der(0x04, content));
}
