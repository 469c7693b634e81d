// What a doctor says of a service that runs somewhere: does it answer, is it well, is it of this version, does its clock
// go as ours does, and who are we to it.

import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { failed, ok, warning, type Examined } from "../store/examined.ts";

export type ServiceWish = {
  readonly url: string;
  readonly token: string | undefined;
  /** Of this program. */
  readonly version: string;
  readonly now: () => number;
};

type Reply = { readonly status: number; readonly body: JsonObject; readonly atMs: number };

/** One that takes longer is of no use to anybody. */
const answerWithinMs = 5000;
const clockOffMaxMs = 2000;

export async function examineService(wish: ServiceWish): Promise<readonly Examined[]> {
  const health = await ask(wish, "/health").catch((error: unknown) => tell(error));
  if (typeof health === "string") return [failed("service", `${wish.url} does not answer: ${health}`)];
  if (textIn(health.body, "status") === undefined)
    return [failed("service", `${wish.url} answers, but not as Stepwell does (status ${health.status})`)];
  return [
    ok("service", wish.url),
    ...examineHealth(health),
    examineVersion(health, wish.version),
    examineTime(health),
    await examineApi(wish),
    await examineVisitor(wish),
  ];
}

function examineHealth({ status, body }: Reply): readonly Examined[] {
  const reasons = textsIn(body, "reasons");
  const warnings = textsIn(body, "warnings").map((text) => warning("health", text));
  if (status === 200) return [ok("health", textIn(body, "status") ?? ""), ...warnings];
  return [failed("health", reasons.join(" ") || `status ${status}`), ...warnings];
}

function examineVersion({ body }: Reply, ours: string): Examined {
  const theirs = textIn(body, "version") ?? "unknown";
  return theirs === ours ? ok("version", theirs) : warning("version", `${theirs} there, ${ours} here`);
}

/** `atMs`: half-way between asking and hearing, by our clock. */
function examineTime({ body, atMs }: Reply): Examined {
  const theirs = own(body, "now");
  if (typeof theirs !== "number") return warning("clock", "it does not say what time it is there");
  const off = Math.round(theirs - atMs);
  const told = `${Math.abs(off)} ms ${off < 0 ? "behind" : "ahead of"} ours`;
  return Math.abs(off) > clockOffMaxMs ? warning("clock", `${told}; set one of the two`) : ok("clock", told);
}

async function examineApi(wish: ServiceWish): Promise<Examined> {
  const reply = await ask(wish, "/api/openapi.json").catch((error: unknown) => tell(error));
  if (typeof reply === "string") return failed("api", reply);
  const version = textIn(reply.body, "openapi");
  const paths = own(reply.body, "paths");
  if (version === undefined || !isObject(paths)) return failed("api", `no description (status ${reply.status})`);
  return ok("api", `OpenAPI ${version}, ${Object.keys(paths).length} paths`);
}

async function examineVisitor(wish: ServiceWish): Promise<Examined> {
  const reply = await ask(wish, "/api/me").catch((error: unknown) => tell(error));
  if (typeof reply === "string") return failed("you", reply);
  const user = textIn(reply.body, "user");
  if (reply.status === 200 && user !== undefined) return ok("you", `${user}, by ${textIn(reply.body, "how") ?? "?"}`);
  const why = textIn(reply.body, "detail") ?? `status ${reply.status}`;
  return wish.token === undefined ? warning("you", `nobody: ${why}`) : failed("you", why);
}

async function ask({ url, token, now }: ServiceWish, path: string): Promise<Reply> {
  const asked = now();
  const response = await fetch(`${url}${path}`, {
    // A token is for who was named, not for where they point to.
    redirect: "error",
    signal: AbortSignal.timeout(answerWithinMs),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const body = await response.json().catch(() => null);
  return { status: response.status, body: isObject(body) ? body : {}, atMs: (asked + now()) / 2 };
}

/** What `fetch` throws has its reason one level below. */
function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `nothing within ${answerWithinMs} ms`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}

function textIn(body: JsonObject, name: string): string | undefined {
  const value = own<Json>(body, name);
  return typeof value === "string" ? value : undefined;
}

function textsIn(body: JsonObject, name: string): readonly string[] {
  const value = own<Json>(body, name);
  return Array.isArray(value) ? value.map(String) : [];
}
