// Passwords of people. They are guessable, so what is kept is slow to compute: `scrypt$N$r$p$salt$hash`. It is computed
// beside the program's own thread, and by whoever is given the password: it goes into no message and no store.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { StepwellError } from "../error.ts";

type Cost = { readonly N: number; readonly r: number; readonly p: number };

/** A seventh of a second, and 32 MB. */
const cost: Cost = { N: 2 ** 15, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;
const passwordLengthMin = 8;
/** A sentence, not a book. */
const passwordLengthMax = 1000;

export async function hashPassword(password: string): Promise<string> {
  checkPassword(password);
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** As slow for somebody who has none as for somebody who has another. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const parsed = kept === undefined ? undefined : parse(kept);
  const { salt, hash, ...rest } = parsed ?? { ...cost, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) };
  const derived = await derive(password.slice(0, passwordLengthMax), salt, rest);
  return derived.length === hash.length && timingSafeEqual(derived, hash) && parsed !== undefined;
}

function checkPassword(password: string): void {
  if (typeof password !== "string" || !password.isWellFormed())
    throw new StepwellError("INPUT_INVALID", "A password must be a text.");
  if (password.length < passwordLengthMin)
    throw new StepwellError("INPUT_INVALID", `A password has ${passwordLengthMin} characters at least.`);
  if (password.length > passwordLengthMax)
    throw new StepwellError("INPUT_INVALID", `A password has ${passwordLengthMax} characters at most.`);
}

function parse(kept: string): (Cost & { readonly salt: Buffer; readonly hash: Buffer }) | undefined {
  const [, n = "", r = "", p = "", salt = "", hash = ""] =
    /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(kept) ?? [];
  if (hash === "") return undefined;
  return {
    N: Number(n),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url"),
  };
}

/** The same letters may be typed in two ways; both are one password. */
function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { N, r, p, maxmem: 256 * N * r };
  scrypt(password.normalize("NFC"), salt, hashBytes, options, (error, derived) =>
    error === null ? resolve(derived) : reject(error),
  );
  return promise;
}
