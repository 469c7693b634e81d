// A secret at rest: AES-256-GCM, a nonce of its own each time, its name bound to it, so that what was sealed under one name
// opens under no other.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";

const keyBytes = 32;

export type SecretKey = { readonly id: string; readonly bytes: Buffer };

/** What is kept; each field but the id in base64. */
export type Sealed = {
  readonly nonce: string;
  readonly ciphertext: string;
  readonly tag: string;
  readonly keyId: string;
};

const algorithm = "aes-256-gcm";

export function createSecretKey(bytes: Buffer = randomBytes(keyBytes)): SecretKey {
  // Tells keys apart, and tells nothing about them.
  const id = createHash("sha256").update("stepwell secret key").update(bytes).digest("hex").slice(0, 12);
  return { id, bytes };
}

/** 32 bytes in hex or base64 of either alphabet; undefined: something else. */
export function parseSecretKey(text: string): SecretKey | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return createSecretKey(Buffer.from(text, "hex"));
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === keyBytes ? createSecretKey(bytes) : undefined;
}

export function seal(value: string, name: string, key: SecretKey): Sealed {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key.bytes, nonce).setAAD(Buffer.from(name));
  const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return {
    nonce: nonce.toString("base64"),
    ciphertext: ciphertext.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    keyId: key.id,
  };
}

/** undefined: it was changed, or sealed under another name or key. */
export function unseal(sealed: Sealed, name: string, key: SecretKey): string | undefined {
  try {
    const nonce = Buffer.from(sealed.nonce, "base64");
    const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(Buffer.from(sealed.tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(sealed.ciphertext, "base64")), decipher.final()]).toString(
      "utf8",
    );
  } catch {
    // Whatever is wrong with it, there is nothing to be had from it.
    return undefined;
  }
}

export function toSealed(value: Json): Sealed | undefined {
  if (!isObject(value)) return undefined;
  const text = (field: string): string | undefined => {
    const found = own(value, field);
    return typeof found === "string" ? found : undefined;
  };
  const [nonce, ciphertext, tag, keyId] = [text("nonce"), text("ciphertext"), text("tag"), text("keyId")];
  if (nonce === undefined || ciphertext === undefined || tag === undefined || keyId === undefined) return undefined;
  return { nonce, ciphertext, tag, keyId };
}

export function fromSealed({ nonce, ciphertext, tag, keyId }: Sealed): JsonObject {
  return { nonce, ciphertext, tag, keyId };
}
