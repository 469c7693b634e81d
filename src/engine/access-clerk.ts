// Keeps who may do what, and answers for it: at the owner's door for whatever changes something, and once more before each
// call of a tool, with the rights that the run's creator has at that moment.

import { findKeyProblem, toolKeyOf, workflowKey, type Asker, type Right } from "../access/permission.ts";
import { createPolicy, extentOf, mayCall, notAllowed, type Policy } from "../access/policy.ts";
import { isGroup, isName, localUser, parsePrincipalId, toPrincipal, type Principal } from "../access/principal.ts";
import { expandScopes, findScopeProblem } from "../access/scope.ts";
import { toToken, withoutHash, type StoredToken } from "../access/token.ts";
import { StepwellError } from "../error.ts";
import { isObject, type Json } from "../flow/json.ts";
import type { RunId, RunRow } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import { findIn, numberIn, textIn, textsIn } from "./ask-fields.ts";
import { askerOf, rightsFor } from "./asker.ts";
import type { Asking, Clerk } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Entries, EntryChange } from "./entries.ts";
import { checkLastAdmin } from "./last-admin.ts";
import { changePassword, closeSessions, openSession, useSession } from "./login-changes.ts";
import { noSuchRun, noSuchStep } from "./readers.ts";
import { rowOf, type Request, type Said } from "./request.ts";
import { notLoggedIn } from "./sessions.ts";

export type AccessParts = { readonly entries: Entries; readonly store: Store; readonly clock: Clock };

export class AccessClerk implements Clerk {
  readonly #parts: AccessParts;
  /** null: something has changed since it was made. */
  #policy: Policy | null = null;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** Nobody was named yet. */
  get isOpen(): boolean {
    return this.#current().isOpen;
  }

  /** Throws when who asks may not; a promise only when it depends on whose run it is. */
  check(request: Request): Promise<void> | undefined {
    const asker = askerOf(request);
    if (request.kind === "start" || request.kind === "again") this.#checkLimits(asker);
    if (this.#isFree(asker)) return undefined;
    let narrow: Right | null = null;
    for (const right of rightsFor(request)) {
      const extent = extentOf(this.#current(), asker, right);
      if (extent === "none") throw notAllowed(asker, right);
      if (extent === "own") narrow ??= right;
    }
    return narrow === null ? undefined : this.#checkCreator(request, asker, narrow);
  }

  /** A run knows the token that started it, and keeps to its scopes. What no token says, it could not keep to. */
  #checkLimits(asker: Asker): void {
    const { user, via, scopes } = asker;
    if (scopes === null && !isToken(via)) return;
    const entry = isToken(via) ? this.#parts.entries.find("token", via) : undefined;
    const token = entry === undefined ? undefined : toToken(entry.key, entry.value);
    if (token?.user === user && JSON.stringify(token.scopes) === JSON.stringify(scopes)) return;
    const message = `"${user}" came with scopes that no token has, so a run could not keep to them.`;
    const hint = "Make a token with these scopes and use what access.tokens.check answers.";
    throw new StepwellError("NOT_ALLOWED", message, { hint, details: { code: "not_allowed", user } });
  }

  /** Another's run is as if it were not there, for who may not see it. */
  async #checkCreator(request: Request, asker: Asker, right: Right): Promise<void> {
    const creator = await this.#creatorOf(request);
    if (creator === asker.user) return;
    const isSeen = creator !== undefined && extentOf(this.#current(), asker, "read") === "all";
    throw (isSeen ? undefined : findAbsence(request)) ?? notAllowed(asker, right);
  }

  /** Why this run may not call the tool, in a sentence; undefined: it may. */
  findRefusal(run: RunRow, tool: string): string | undefined {
    const asker = this.askerOf(run);
    if (this.#isFree(asker) || mayCall(this.#current(), asker, tool)) return undefined;
    const { user, scopes } = asker;
    const key = toolKeyOf(tool);
    const isScope = scopes !== null && mayCall(this.#current(), { ...asker, scopes: null }, tool);
    if (isScope) return `The token that started the run for "${user}" is not for the tool "${tool}": it lacks ${key}.`;
    return `"${user}", who started the run, may not call the tool "${tool}": the permission ${key} is missing.`;
  }

  /** Gates name groups; who is in them is known here. */
  introduce(said: Said): Said {
    if (said.kind !== "answer" && said.kind !== "ready") return said;
    return { ...said, groups: this.#current().groupsOf(said.by) };
  }

  async handle(ask: Json, asking: Asking): Promise<Json> {
    const { entries } = this.#parts;
    switch (textIn(ask, "do")) {
      case "save":
        return this.#saveGiven(ask, asking);
      case "remove":
        return this.#remove(this.#get(textIn(ask, "id")), asking);
      case "grant":
        return this.#grant(ask, asking);
      case "revoke":
        return this.#revoke(ask, asking);
      case "set_password":
        return this.#setPassword(ask, asking);
      case "open_session":
        return this.#openSession(ask, asking);
      case "use_session":
        return this.#change(useSession(entries, textIn(ask, "id"), this.#parts.clock.now()), asking, null);
      case "close_session":
        return this.#change(
          closeSessions(entries, ({ id }) => id === textIn(ask, "id")),
          asking,
          null,
        );
      case "close_sessions":
        return this.#change(
          closeSessions(entries, ({ user }) => user === textIn(ask, "user")),
          asking,
          null,
        );
      case "create_token":
        return this.#createToken(ask, asking);
      case "revoke_token":
        return this.#markToken(textIn(ask, "id"), "revokedAt", asking);
      case "use_token":
        return this.#markToken(textIn(ask, "id"), "lastUsedAt", asking);
      default:
        throw new StepwellError("REFUSED", "The message is none that this version knows.");
    }
  }

  /** The program itself, and everybody as long as nobody was named. */
  #isFree({ user, scopes }: Asker): boolean {
    return scopes === null && (user === localUser || this.#current().isOpen);
  }

  #current(): Policy {
    this.#policy ??= createPolicy(this.#principals());
    return this.#policy;
  }

  #principals(): readonly Principal[] {
    return this.#parts.entries.list("principal").map(({ key, value }) => toPrincipal(key, value));
  }

  /** A run keeps to what the token was for that started it, also when that has expired since. */
  askerOf({ createdBy: user, createdVia: via }: RunRow): Asker {
    if (!isToken(via)) return { user, via, scopes: null };
    const token = this.#parts.entries.find("token", via);
    return { user, via, scopes: token === undefined ? [] : toToken(via, token.value).scopes };
  }

  async #creatorOf(request: Request): Promise<string | undefined> {
    const run = await this.#runOf(request);
    return run === undefined ? undefined : (await this.#parts.store.findRun(run))?.run.createdBy;
  }

  async #runOf(request: Request): Promise<RunId | undefined> {
    if (request.kind === "keep" && request.clerk === "ratings") return numberIn(request.ask, "run") ?? undefined;
    if (isAboutRun(request)) return request.run;
    if (request.kind !== "say") return undefined;
    const row = rowOf(request.said);
    return row === undefined ? (request.run ?? undefined) : (await this.#parts.store.findRow(row))?.run;
  }

  #get(text: string): Principal {
    const id = parsePrincipalId(text) ?? text;
    const entry = this.#parts.entries.find("principal", id);
    if (entry !== undefined) return toPrincipal(id, entry.value);
    throw new StepwellError("PRINCIPAL_NOT_FOUND", `There is no ${id}; save it first.`);
  }

  #getOther(text: string): Principal {
    const found = this.#get(text);
    if (found.id === program.id) throw badName(localUser);
    return found;
  }

  #change(changes: readonly EntryChange[], asking: Asking, answer: Json): Promise<Json> {
    if (asking.by !== localUser) checkLastAdmin(this.#parts.entries, changes, this.#parts.clock.now());
    this.#policy = null;
    return this.#parts.entries.change(changes, { asking, answer: () => answer });
  }

  /** With the first of them stands the program itself, so that the store is not open again when all others have gone. */
  async #save({ id, groups, keys }: Principal, asking: Asking, more: readonly EntryChange[] = []): Promise<Json> {
    const isFirst = this.#parts.entries.find("principal", program.id) === undefined;
    const saved = [{ id, groups, keys }, ...(isFirst ? [program] : [])];
    const changes = [...saved.map((principal) => principalChange(principal, asking.by)), ...more];
    return this.#change(changes, asking, { id, groups, keys });
  }

  #saveGiven(ask: Json, asking: Asking): Promise<Json> {
    const principal = parsePrincipal(ask);
    if (findIn(ask, "passwordHash") === undefined) return this.#save(principal, asking);
    return this.#save(principal, asking, this.#passwordChanges(principal.id, textIn(ask, "passwordHash")));
  }

  async #setPassword(ask: Json, asking: Asking): Promise<Json> {
    const { id } = this.#getOther(textIn(ask, "id"));
    const hash = findIn(ask, "passwordHash") === null ? null : textIn(ask, "passwordHash");
    return this.#change(this.#passwordChanges(id, hash), asking, null);
  }

  #passwordChanges(id: string, hash: string | null): readonly EntryChange[] {
    if (isGroup(id)) throw new StepwellError("INPUT_INVALID", `${id} is a group; users log in.`);
    return changePassword(this.#parts.entries, nameOf(id), hash);
  }

  async #openSession(ask: Json, asking: Asking): Promise<Json> {
    const { entries, clock } = this.#parts;
    const user = textIn(ask, "user");
    if (entries.find("password", user)?.version !== numberIn(ask, "passwordVersion")) throw notLoggedIn();
    return this.#change(openSession(entries, { id: textIn(ask, "id"), user }, clock.now()), asking, null);
  }

  /** Nothing of it is left that another of the same name could come by. */
  async #remove({ id }: Principal, asking: Asking): Promise<Json> {
    if (id === program.id && this.#principals().length > 1) {
      const message = "The program itself is removed last: then the store is open to everybody again.";
      throw new StepwellError("REFUSED", message, { details: { code: "not_last" } });
    }
    const name = nameOf(id);
    const members = this.#principals().filter(({ groups }) => isGroup(id) && groups.includes(name));
    const tokens = this.#tokens().filter(({ user }) => !isGroup(id) && user === name);
    const changes = [
      { kind: "principal", key: id, value: null },
      ...members.map((member) =>
        principalChange({ ...member, groups: member.groups.filter((group) => group !== name) }, localUser),
      ),
      ...tokens.map((token) => ({ kind: "token", key: token.id, value: null })),
      ...(isGroup(id) ? [] : changePassword(this.#parts.entries, name, null)),
    ];
    return this.#change(changes, asking, null);
  }

  #grant(ask: Json, asking: Asking): Promise<Json> {
    const { id, groups, keys } = this.#getOther(textIn(ask, "id"));
    const key = checkKey(textIn(ask, "key"));
    return this.#save({ id, groups, keys: keys.includes(key) ? keys : [...keys, key] }, asking);
  }

  #revoke(ask: Json, asking: Asking): Promise<Json> {
    const { id, groups, keys } = this.#getOther(textIn(ask, "id"));
    const key = textIn(ask, "key");
    if (!keys.includes(key)) {
      const has = keys.length === 0 ? "no keys of its own" : keys.join(", ");
      throw new StepwellError("REFUSED", `${id} was not granted ${key}; it has ${has}.`, {
        details: { code: "not_granted" },
      });
    }
    return this.#save({ id, groups, keys: keys.filter((other) => other !== key) }, asking);
  }

  #tokens(): readonly StoredToken[] {
    return this.#parts.entries.list("token").map(({ key, value }) => toToken(key, value));
  }

  async #createToken(ask: Json, asking: Asking): Promise<Json> {
    const [id, user, name, hash] = [textIn(ask, "id"), textIn(ask, "user"), textIn(ask, "name"), textIn(ask, "hash")];
    if (user !== localUser && !this.#current().isOpen) this.#get(`user:${user}`);
    const scopes =
      (findIn(ask, "scopes") ?? null) === null ? null : expandScopes(textsIn(ask, "scopes").map(checkScope));
    const expiresAt = numberIn(ask, "expiresAt");
    const value = { user, name, hash, scopes, expiresAt, createdAt: this.#parts.clock.now(), by: asking.by };
    return this.#change([{ kind: "token", key: id, value }], asking, { ...withoutHash(toToken(id, value)) });
  }

  async #markToken(id: string, field: "revokedAt" | "lastUsedAt", asking: Asking): Promise<Json> {
    const entry = this.#parts.entries.find("token", id);
    if (entry === undefined) throw new StepwellError("TOKEN_NOT_FOUND", `There is no token ${id}.`);
    if (field === "revokedAt" && toToken(id, entry.value).revokedAt !== null) return null;
    const value = { ...(isObject(entry.value) ? entry.value : {}), [field]: this.#parts.clock.now() };
    return this.#change([{ kind: "token", key: id, value }], asking, null);
  }
}

/** undefined: it asks for no run and no step. */
function findAbsence(request: Request): StepwellError | undefined {
  if (isAboutRun(request)) return noSuchRun(request.run);
  if (request.kind === "keep" && request.clerk === "ratings") return noSuchRun(numberIn(request.ask, "run") ?? 0);
  if (request.kind !== "say") return undefined;
  const row = rowOf(request.said);
  return row === undefined ? noSuchRun(request.run ?? 0) : noSuchStep(row);
}

function isAboutRun(request: Request): request is Extract<Request, { kind: "again" | "preview" | "remove" }> {
  return request.kind === "again" || request.kind === "preview" || request.kind === "remove";
}

function isToken(via: string | null): via is string {
  return via?.startsWith("tok_") === true;
}

/** It may do everything, whatever stands here. */
const program: Principal = { id: `user:${localUser}`, groups: [], keys: [workflowKey, toolKeyOf("*")] };

/** `ann` of `user:ann`. */
function nameOf(id: string): string {
  return id.replace(/^(?:user|group):/, "");
}

function principalChange({ id, groups, keys }: Principal, by: string): EntryChange {
  return { kind: "principal", key: id, value: { groups, keys, by } };
}

function parsePrincipal(ask: Json): Principal {
  const text = textIn(ask, "id");
  const id = parsePrincipalId(text);
  if (id === undefined || id === program.id) throw badName(text);
  const groups = textsIn(ask, "groups").map((group) => group.replace(/^group:/, ""));
  for (const group of groups) if (!isName(group)) throw badName(group);
  if (isGroup(id) && groups.length > 0)
    throw new StepwellError("INPUT_INVALID", `${id} is a group; groups hold users.`);
  return { id, groups: [...new Set(groups)], keys: [...new Set(textsIn(ask, "keys").map(checkKey))] };
}

function badName(text: string): StepwellError {
  if (text === localUser || text === `user:${localUser}`)
    return new StepwellError("INPUT_INVALID", `"${localUser}" is the program itself and may do everything.`);
  const message = `"${text}" is no name of a user or a group: letters, digits and . _ @ + -, such as ann or group:finance.`;
  return new StepwellError("INPUT_INVALID", message);
}

function checkScope(scope: string): string {
  const problem = findScopeProblem(scope);
  if (problem !== undefined) throw new StepwellError("INPUT_INVALID", problem);
  return scope;
}

function checkKey(key: string): string {
  const problem = findKeyProblem(key);
  if (problem !== undefined) throw new StepwellError("INPUT_INVALID", problem);
  return key;
}
