// All verbs of an engine that works elsewhere, behind a server. It has no store and calls no tool; what it asks is done
// over there, in the name of whoever the token belongs to.

import type { ChangesQuery, StoreChange, StoreNews } from "../engine/changes.ts";
import { systemClock, type Clock } from "../engine/clock.ts";
import type { UserEngine } from "../engine/engine.ts";
import type { RunChange } from "../engine/feed.ts";
import type { Health } from "../engine/health.ts";
import type { PruneWish } from "../engine/prune-wish.ts";
import type { Started } from "../engine/request.ts";
import { toTimeoutMs, waitAtMost, type TimeoutOptions } from "../engine/timeout.ts";
import type { AnswerOptions, By, Expecting, FireOptions, RunView, StartOptions } from "../engine/verb-options.ts";
import { toResult, type RunResult } from "../engine/waiters.ts";
import type { SavedWorkflow } from "../engine/workflow-view.ts";
import type { SaveOptions } from "../engine/workflows.ts";
import { StepwellError } from "../error.ts";
import type { Finding } from "../flow/finding.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import { validate, type Report } from "../flow/validate/validate.ts";
import type { HistoryEntry } from "../run/history.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { RunSearch } from "../store/search.ts";
import type { StoredRun } from "../store/store.ts";
import { createAccess, createSecrets } from "./access.ts";
import { createDemo, type RemoteDemo } from "./demo.ts";
import { pageMax, parseServerUrl, parseToken, toPath } from "./address.ts";
import { notThere, parseMaybe } from "./failure.ts";
import { fieldIn, listIn, numberIn, objectIn, take, textIn } from "./fields.ts";
import { followNews } from "./follow-changes.ts";
import { followRun } from "./follow-run.ts";
import { createOverview } from "./overview.ts";
import { readHistoryEntry, readRows, readStoredRun } from "./read-run.ts";
import { createLock, createServers } from "./servers.ts";
import { createBreakers, createOutcomes, createTools } from "./tools.ts";
import { Wire } from "./wire.ts";
import { createWorkflows } from "./workflows.ts";

export type RemoteOptions = {
  readonly url: string;
  readonly token?: string;
  readonly patienceMs: number;
  readonly clock?: Clock;
};

const runs = "api/workflow";

export class RemoteEngine implements UserEngine, AsyncDisposable {
  readonly #wire: Wire;
  /** Under which everything is asked; null: each request has one of its own. */
  readonly #key: string | null;

  constructor(wire: Wire, key: string | null = null) {
    this.#wire = wire;
    this.#key = key;
  }

  /** Whom the server takes us for. Throws when nobody is there, or we are nobody to it. */
  async greet(): Promise<string> {
    return textIn(objectIn((await this.#wire.knock("api/me")).body), "user");
  }

  under(key: string): UserEngine {
    return new RemoteEngine(this.#wire, key);
  }

  get workflows(): UserEngine["workflows"] {
    return createWorkflows(this.#wire, this.#key);
  }

  save(flow: Json, options: SaveOptions = {}): Promise<SavedWorkflow> {
    return this.workflows.save(flow, options);
  }

  get access(): UserEngine["access"] {
    return createAccess(this.#wire, this.#key);
  }

  get secrets(): UserEngine["secrets"] {
    return createSecrets(this.#wire, this.#key);
  }

  get tools(): UserEngine["tools"] {
    return createTools(this.#wire, this.#key);
  }

  get breakers(): UserEngine["breakers"] {
    return createBreakers(this.#wire, this.#key);
  }

  get servers(): UserEngine["servers"] {
    return createServers(this.#wire, this.#key);
  }

  get lock(): UserEngine["lock"] {
    return createLock(this.#wire, this.#key);
  }

  get outcomes(): UserEngine["outcomes"] {
    return createOutcomes(this.#wire, this.#key);
  }

  get overview(): UserEngine["overview"] {
    return createOverview(this.#wire);
  }

  /** The server's own. */
  get demo(): RemoteDemo {
    return createDemo(this.#wire);
  }

  /** The server does the work. */
  get isOwner(): boolean {
    return false;
  }

  /** As people know it. */
  get url(): string {
    return this.#wire.url;
  }

  async health(): Promise<Health> {
    const ask = { method: "GET", path: "health", tellsStatus: true } as const;
    const told = objectIn((await this.#wire.send(ask)).body);
    // What is nobody's business it tells only to some.
    const whole = { store: this.#wire.url, durability: "unknown", is_owner: true, warnings: [], ...told };
    return take<Health>(whole, ["status", "reasons", "warnings", "isOwner", "store", "durability"]);
  }

  async start(flow: Json, options: StartOptions = {}): Promise<Started> {
    const { input, at, tz, idempotencyKey = this.#key, name, tx } = options;
    if (tx !== undefined)
      throw new StepwellError("TX_NEEDS_POSTGRES", "A transaction of your own does not reach through a server.");
    const body = {
      flow,
      ...(input === undefined ? {} : { input }),
      ...(name === undefined ? {} : { name }),
      ...(at === undefined ? {} : { schedule: at instanceof Date ? at.toISOString() : at }),
      ...(tz === undefined ? {} : { tz }),
      // A header has no place for all that a key may be made of.
      ...(idempotencyKey === null ? {} : { idempotency_key: idempotencyKey }),
    };
    return toStarted((await this.#wire.send({ method: "POST", path: runs, body })).body);
  }

  retry(run: RunId, _options: By = {}): Promise<Started> {
    return this.#again(run, "retry", {});
  }

  rerun(run: RunId, { from }: By & { readonly from?: RowId | string } = {}): Promise<Started> {
    return this.#again(run, "rerun", from === undefined ? {} : { from });
  }

  fork(run: RunId, options: By & { readonly from?: RowId | string; readonly input?: Json } = {}): Promise<Started> {
    const { from, input = null } = options;
    return this.#again(run, "fork", { input, ...(from === undefined ? {} : { from }) });
  }

  async result(run: RunId, options: TimeoutOptions = {}): Promise<RunResult> {
    const timeoutMs = toTimeoutMs(options);
    const leaving = new AbortController();
    const ended = this.#untilEnded(run, leaving.signal);
    if (timeoutMs === undefined) return ended;
    const { passed, cancel } = waitAtMost(this.#wire.clock, run, timeoutMs);
    try {
      return await Promise.race([ended, passed]);
    } finally {
      cancel();
      leaving.abort();
      // Nobody listens any more.
      ended.catch(() => {});
    }
  }

  async get(run: RunId): Promise<RunView> {
    const document = await this.#read(run);
    const { run: row, flow, updatedAt } = readStoredRun(document);
    return { ...row, flow, updatedAt, steps: readRows(document) };
  }

  async list(query: Partial<RunSearch> = {}): Promise<readonly StoredRun[]> {
    return (await this.overview.search(query)).runs;
  }

  async flow(run: RunId): Promise<Json> {
    return parseMaybe(textIn(await this.#read(run), "flow_json")) ?? null;
  }

  /** What waits for a person, as documents, with the requests that answer it. */
  async inbox(limitMax: number): Promise<readonly JsonObject[]> {
    const found: JsonObject[] = [];
    let cursor: string | undefined;
    do {
      const limit = Math.min(pageMax, limitMax - found.length);
      const page = await this.#wire.read("api/inbox", { limit, cursor });
      // A changed tool is no run's.
      found.push(...listIn(page.body).filter(({ workflow_id: run }) => run !== null));
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined && found.length < limitMax);
    return found.slice(0, limitMax);
  }

  /** With the tools that are there. */
  async validate(flow: Json): Promise<Report> {
    const ask = { method: "POST", path: toPath(runs, "validate"), body: { flow } } as const;
    const told = objectIn((await this.#wire.send(ask)).body);
    const { findings } = take<{ readonly findings: readonly Finding[] }>(told, ["findings"]);
    const here = validate(flow);
    const ok = fieldIn(told, "is_valid") === true;
    return ok ? { ...here, ok, findings } : { ...here, ok, findings, document: null, plan: null };
  }

  async history(run: RunId): Promise<readonly HistoryEntry[]> {
    return listIn((await this.#wire.read(toPath(runs, run, "history"))).body).map(readHistoryEntry);
  }

  /** As of an engine. */
  async *watch(run: RunId): AsyncGenerator<RunChange, void, undefined> {
    yield* followRun(this.#wire, { run, read: () => this.get(run) });
  }

  async *changes(query: ChangesQuery = {}): AsyncGenerator<StoreNews, void, undefined> {
    for await (const news of followNews(this.#wire, query)) {
      if (news.kind !== "changes") yield news;
      else yield { ...news, changes: news.changes.map(withoutInstant) };
    }
  }

  async ready(step: RowId, _options: By = {}): Promise<void> {
    await this.#say(step, "ready");
  }

  async answer(step: RowId, { outcome, data, comment, hash }: AnswerOptions): Promise<void> {
    const body = {
      outcome,
      ...(data === undefined ? {} : { data }),
      ...(comment === undefined ? {} : { comment }),
      ...(hash === undefined ? {} : { hash }),
    };
    await this.#say(step, "answer", { body });
  }

  approve(step: RowId, options: By & { readonly comment?: string; readonly data?: Json } = {}): Promise<void> {
    return this.answer(step, { ...options, outcome: "approved" });
  }

  reject(step: RowId, options: By & { readonly comment?: string; readonly data?: Json } = {}): Promise<void> {
    return this.answer(step, { ...options, outcome: "rejected" });
  }

  async signal(run: RunId, name: string, data: Json = null): Promise<void> {
    await this.#say(run, "signal", { body: { name, data } });
  }

  async emit(event: string, data: Json = null): Promise<number> {
    const ask = { method: "POST", path: toPath(runs, "emit"), body: { event, data }, key: this.#key } as const;
    return numberIn(objectIn((await this.#wire.send(ask)).body), "runs");
  }

  async cancel(run: RunId, options: Expecting & { readonly reason?: string } = {}): Promise<void> {
    const query = { reason: options.reason, updated_at: options.expectedUpdatedAt };
    await this.#wire.send({ method: "DELETE", path: toPath(runs, run), query, key: this.#key });
  }

  async preview(run: RunId): Promise<Json> {
    return (await this.#wire.read(toPath(runs, run, "preview"))).body;
  }

  prune(_wish: PruneWish): Promise<{ readonly runs: number }> {
    return Promise.reject(notThere("Removing old runs"));
  }

  /** Sent once: asked again, it would seem never to have been there. */
  async remove(run: RunId): Promise<{ readonly runs: number }> {
    const ask = { method: "POST", path: toPath(runs, run, "remove"), key: this.#key, repeat: "once" } as const;
    return { runs: numberIn(objectIn((await this.#wire.send(ask)).body), "runs") };
  }

  async pause(run: RunId, { expectedUpdatedAt }: Expecting = {}): Promise<void> {
    await this.#say(run, "pause", { expectedUpdatedAt });
  }

  async resume(run: RunId, { expectedUpdatedAt }: Expecting = {}): Promise<void> {
    await this.#say(run, "resume", { expectedUpdatedAt });
  }

  async resolve(
    step: RowId,
    { how, result = null }: By & { readonly how: "retry" | "done" | "failed"; readonly result?: Json },
  ): Promise<void> {
    await this.#say(step, "resolve", { body: { how, result } });
  }

  async skip(step: RowId, _options: By = {}): Promise<void> {
    await this.#say(step, "skip");
  }

  async choose(row: RowId, { step }: By & { readonly step: string | null }): Promise<void> {
    await this.#say(row, "choose", { body: { step } });
  }

  async fire(run: RunId, { transition, reason, data, expectedUpdatedAt }: FireOptions): Promise<void> {
    const body = {
      transition,
      ...(reason === undefined ? {} : { reason }),
      ...(data === undefined ? {} : { data }),
    };
    await this.#say(run, "fire", { body, expectedUpdatedAt });
  }

  /** Nobody is waited for; what was asked is done, or not, over there. */
  async stop(): Promise<void> {
    this.#wire.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #read(run: RunId): Promise<JsonObject> {
    return objectIn((await this.#wire.read(toPath(runs, run))).body);
  }

  async #say(id: number, verb: string, { body, expectedUpdatedAt }: Saying = {}): Promise<void> {
    const query = { updated_at: expectedUpdatedAt };
    const ask = { method: "POST", path: toPath(runs, id, verb), query, key: this.#key } as const;
    await this.#wire.send(body === undefined ? ask : { ...ask, body });
  }

  async #again(run: RunId, verb: "retry" | "rerun" | "fork", body: JsonObject): Promise<Started> {
    const ask = { method: "POST", path: toPath(runs, run, verb), body, key: this.#key } as const;
    return toStarted((await this.#wire.send(ask)).body);
  }

  async #untilEnded(run: RunId, signal: AbortSignal): Promise<RunResult> {
    for await (const _ of followRun(this.#wire, { run, read: () => this.get(run), signal }));
    return toResult(await this.get(run));
  }
}

type Saying = { readonly body?: JsonObject; readonly expectedUpdatedAt?: number | undefined };

/** Nothing is asked yet. */
export function createRemote({ url, token, patienceMs, clock = systemClock }: RemoteOptions): RemoteEngine {
  const given = token === undefined ? undefined : parseToken(token);
  return new RemoteEngine(new Wire({ address: parseServerUrl(url), token: given, patienceMs, clock }));
}

/** Of a commit all have the same. */
function withoutInstant({ run, step, name, stepName, status }: StoreChange): StoreChange {
  return { run, step, name, stepName, status };
}

/** A server says that it was started; here is said what it is then. */
function toStarted(body: Json): Started {
  const started = objectIn(body);
  const status = textIn(started, "status");
  return {
    ...take<Started, "id" | "uid" | "scheduledAt" | "warnings">(started, ["id", "uid", "scheduledAt", "warnings"]),
    status: status === "started" ? "running" : status,
  };
}
