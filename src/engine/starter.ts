// Runs begin here: a flow is compiled, its input checked, an id minted. Everything that can be refused is refused before
// anything is written.

import { StepwellError } from "../error.ts";
import { canonicalText, type Json } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { LiveMap } from "../live-map.ts";
import { planAgain } from "../run/again.ts";
import type { Reply } from "../run/decision.ts";
import type { StartMessage } from "../run/message.ts";
import type { RunId, RunRow } from "../run/model.ts";
import type { InboxId, OwnerCard, Store, StoredRun } from "../store/store.ts";
import { createUid } from "../store/uid.ts";
import { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";
import { createEnvelope, weigh, type Birth, type Envelope } from "./envelope.ts";
import type { FlowLibrary } from "./flow-library.ts";
import type { IdSource } from "./ids.ts";
import { checkInput } from "./input.ts";
import { findMark } from "./message-id.ts";
import { refused, type AgainRequest, type ReservedPlace, type StartRequest } from "./request.ts";
import { parseReference } from "./workflow-entry.ts";
import type { Shelf } from "./workflow-shelf.ts";

export type StarterParts = {
  readonly store: Store;
  readonly library: FlowLibrary;
  readonly shelf: Shelf;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly role: OwnerCard["role"];
  /** Resolves when the ids that were given out so far are never given again. */
  readonly keepIds: () => Promise<void>;
  /** The answer of the kernel, once it is on disk. */
  readonly send: (envelope: Envelope) => Promise<Reply>;
};

/** What a run begins with, apart from its id. */
type Beginning = Omit<StartMessage, "kind" | "run" | "uid" | "parent">;

export class Starter {
  readonly #parts: StarterParts;
  /** Starts under way by their key: the second one gets the answer of the first. */
  readonly #starting = new LiveMap<string, { readonly body: string; readonly answer: Promise<Json> }>();
  /** Of a command, which starts few. */
  readonly #started = new Set<RunId>();

  readonly #chance = new Chance();

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  async start(request: StartRequest, inbox: InboxId | null): Promise<Reply> {
    const { startKey } = request;
    if (startKey === null) return this.#startNew(request, inbox);
    // What is only checked starts nothing: it does not take the key away from those who do.
    if (request.isReserved) return (await this.#findKnown(request)) ?? this.#startNew(request, inbox);
    const { flow, input, by, name, asked = null } = request;
    const body = canonicalText([flow, input, by, name, asked]);
    return this.#once(
      { startKey, body },
      async () => (await this.#findKnown(request)) ?? (await this.#startNew(request, inbox)),
    );
  }

  /** Of several at the same time with one key, one begins, and all are told of it. */
  async #once(
    { startKey, body }: { readonly startKey: string; readonly body: string },
    begin: () => Promise<Reply>,
  ): Promise<Reply> {
    const starting = this.#starting.get(startKey);
    if (starting !== undefined) {
      if (starting.body !== body) return keyReused(startKey);
      return { kind: "ok", value: await starting.answer };
    }
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    // Whoever waits for the same key hears of a failure; nobody else needs to.
    promise.catch(() => {});
    this.#starting.set(startKey, { body, answer: promise });
    try {
      const reply = await begin();
      if (reply.kind === "ok") resolve(reply.value);
      else reject(refused(reply.code, reply.message));
      return reply;
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      this.#starting.delete(startKey);
    }
  }

  /** The run, or the one around it, began in this process. */
  hasStarted({ id, parent }: RunRow): boolean {
    return this.#started.has(id) || (parent !== null && this.#started.has(parent.run));
  }

  async #findKnown(request: StartRequest): Promise<Reply | undefined> {
    const known = await this.#parts.store.findRunByKey(request.startKey ?? "");
    return known === undefined ? undefined : this.#answerKnown(request, known);
  }

  /** The key is known: the same start gets the same run, another one is told. */
  async #answerKnown(request: StartRequest, { run, flow }: StoredRun): Promise<Reply> {
    const plan = await this.#parts.library.loadPlan(flow);
    // Who may not see another's runs learns nothing of them by a key.
    const isSame =
      run.createdBy === request.by &&
      run.name === nameOf(request, plan) &&
      (findMark(run.seen) ?? request.asked) === request.asked &&
      this.#isVersionOf(request, flow) &&
      canonicalText(checkInput(plan, request.input)) === canonicalText(run.input);
    return isSame ? { kind: "ok", value: run.id } : keyReused(request.startKey ?? "");
  }

  /** A workflow that was named may have newer versions since: the run that was started is still the one. */
  #isVersionOf({ flow }: StartRequest, hash: string): boolean {
    const { library, shelf, clock } = this.#parts;
    const reference = typeof flow === "string" ? parseReference(flow) : undefined;
    return reference === undefined
      ? library.compile(flow, clock.now()).plan.hash === hash
      : shelf.hasVersion(reference, hash);
  }

  async again(request: AgainRequest, inbox: InboxId | null): Promise<Reply> {
    const { startKey, run, how, from, input, by } = request;
    if (startKey === undefined) return this.#againNew(request, inbox);
    return this.#once({ startKey, body: canonicalText([run, how, from, input, by]) }, async () => {
      const known = await this.#parts.store.findRunByKey(startKey);
      if (known === undefined) return this.#againNew(request, inbox);
      return known.run.createdBy === by ? { kind: "ok", value: known.run.id } : keyReused(startKey);
    });
  }

  async #againNew(request: AgainRequest, inbox: InboxId | null): Promise<Reply> {
    const { store, library } = this.#parts;
    const { how, from, by, via = null, startKey = null } = request;
    const found = await store.findRun(request.run);
    const flow = found === undefined ? undefined : await store.findFlow(found.flow);
    if (found === undefined || flow === undefined)
      throw new StepwellError("RUN_NOT_FOUND", `There is no run ${request.run}.`);
    const plan = await library.loadPlan(flow.hash);
    const input = request.input === null ? null : checkInput(plan, request.input);
    const rows = await store.listRows(request.run);
    const planned = planAgain({ plan, run: found.run, rows, how, from, input });
    if (!planned.ok) return { kind: "refused", code: planned.code, message: planned.message };
    const { name } = found.run;
    const beginning = { name, input: planned.input, by, via, at: null, again: planned.again };
    return this.#begin(beginning, { plan, flow, startKey }, { inbox, place: this.#nextPlace() });
  }

  /** Tells more than the kernel does: what the validator warns of. */
  async #startNew(request: StartRequest, inbox: InboxId | null): Promise<Reply> {
    const { clock, library, shelf } = this.#parts;
    const reference = typeof request.flow === "string" ? parseReference(request.flow) : undefined;
    const version =
      reference === undefined
        ? library.admit(request.flow, clock.now())
        : library.withToolWarnings(await shelf.open(reference));
    const { plan, record: flow } = version;
    const warnings = [...version.warnings, ...shelf.warningsOf(version)];
    const input = checkInput(plan, request.input);
    const { by, via, at, startKey, asked } = request;
    if (request.isReserved) return { kind: "ok", value: { ...(await this.#reserve()), warnings } };
    const place = request.place ?? this.#nextPlace();
    const name = nameOf(request, plan);
    const beginning = { name, input, by, via, at, again: null, ...(asked === undefined ? {} : { asked }) };
    const birth = { plan, flow, startKey, ...(request.place === undefined ? {} : { isAccepted: true as const }) };
    const reply = await this.#begin(beginning, birth, { inbox, place });
    return reply.kind === "ok" ? { kind: "ok", value: { id: reply.value, warnings } } : reply;
  }

  async #reserve(): Promise<ReservedPlace> {
    const place = this.#nextPlace();
    await this.#parts.keepIds();
    return place;
  }

  #nextPlace(): ReservedPlace {
    const { clock, ids } = this.#parts;
    const id = ids.next(clock.now());
    return { id, uid: createUid(id, this.#chance.next()) };
  }

  async #begin(
    beginning: Beginning,
    birth: Birth,
    { inbox, place: { id: run, uid } }: { readonly inbox: InboxId | null; readonly place: ReservedPlace },
  ): Promise<Reply> {
    const { send } = this.#parts;
    // What a guest asks for may need tools that only others have.
    if (this.#parts.role === "command" && inbox === null) this.#started.add(run);
    const message = { ...beginning, kind: "start", id: uid, run, uid, parent: null } as const;
    const bytes = 1024 + weigh(beginning.input);
    const reply = await send({ ...createEnvelope(run, message), birth, inbox, bytes });
    // Whoever asks again needs to know which run it was.
    if (reply.kind === "refused" && reply.code === "outcome_unknown")
      throw new StepwellError("OUTCOME_UNKNOWN", reply.message, { details: { uid } });
    return reply;
  }
}

/** What the run is called: as it was said, as the workflow is, or as the flow says itself. */
function nameOf({ name, flow }: StartRequest, plan: Plan): string {
  const reference = typeof flow === "string" ? parseReference(flow) : undefined;
  return name ?? reference?.name ?? plan.name ?? "flow";
}

function keyReused(key: string): Reply {
  const message = `Another run was started with the key "${key}". Use a new key for a new start.`;
  return { kind: "refused", code: "key_reused", message };
}
