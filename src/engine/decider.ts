// Decides messages on the runs in memory and gathers what follows in a batch. It reads what is missing from the store and
// lays over it what is not on disk yet; it writes nothing and calls nothing.

import type { JsonObject } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import { prepareInput } from "../flow/validate/input.ts";
import { canCancel, previewCancel } from "../run/cancel.ts";
import { availableTransitions } from "../run/machine.ts";
import { decide } from "../run/decide.ts";
import type { Decision, Need, Reply, Send } from "../run/decision.ts";
import type { Env, Limits } from "../run/env.ts";
import type { Message, MessageOf } from "../run/message.ts";
import type { Failure, Frontier, Row, RowId, RunId } from "../run/model.ts";
import { pickNeeded } from "../run/need.ts";
import type { LoadedRun, Ownership } from "../store/store.ts";
import type { ToolBox } from "../tool/tool.ts";
import { mergeDecision, type BatchDraft } from "./batch-draft.ts";
import { createEnvelope, refusal, type Birth, type Envelope } from "./envelope.ts";
import { refuseChanged } from "./expectation.ts";
import { isStoreGone } from "./failure.ts";
import type { FlowLibrary } from "./flow-library.ts";
import { createHeldRun, keepRecent, type HeldRun, type RunCache } from "./held-run.ts";
import { IdSource } from "./ids.ts";
import { go, type Judge } from "./judge.ts";
import type { Shelf } from "./workflow-shelf.ts";

export type DeciderParts = {
  readonly ownership: Ownership;
  readonly library: FlowLibrary;
  readonly tools: ToolBox;
  readonly cache: RunCache;
  readonly ids: IdSource;
  readonly limits: Limits;
  readonly resolveTime: Env["resolveTime"];
  readonly judge: Judge;
  readonly shelf: Shelf;
};

/** How often one message may ask for rows: an undoing looks at one row at a time, all else asks once or twice. */
const questionsMax = 100_000;

type Brought = {
  readonly byNeed: Map<string, readonly Row[]>;
  readonly rows: Map<RowId, Row>;
  /** Ids that were given out for this message, and how many of them the decision under way has used. */
  readonly ids: RowId[];
  used: number;
};

export class Decider {
  readonly #parts: DeciderParts;
  #now = 0;
  #brought: Brought | null = null;
  readonly #env: Env;
  /** Versions that are on disk, or on their way there. */
  readonly #flows = new Set<string>();

  constructor(parts: DeciderParts) {
    this.#parts = parts;
    this.#env = this.#createEnv();
  }

  /** One environment for all decisions: only what changes between them is looked up. */
  #createEnv(): Env {
    const { ownership, limits, tools, resolveTime, shelf } = this.#parts;
    const now = (): number => this.#now;
    return {
      get now() {
        return now();
      },
      epoch: ownership.epoch,
      limits,
      newId: () => this.#newId(),
      given: (need) => this.#brought?.byNeed.get(JSON.stringify(need)),
      resolveTime,
      effectOf: (tool) => tools.find(tool)?.effect ?? null,
      flowOf: (name, no) => {
        const picked = shelf.pick({ name, no });
        return picked.kind === "found" ? picked.hash : null;
      },
    };
  }

  /** A message that is decided again is given the same ids. Those of others, made while the store was asked, stay theirs. */
  #newId(): RowId {
    const { ids } = this.#parts;
    const brought = this.#brought;
    if (brought === null) return ids.next(this.#now);
    const id = brought.ids[brought.used] ?? ids.next(this.#now);
    brought.ids[brought.used] = id;
    brought.used += 1;
    return id;
  }

  /** The message and whatever it leads the kernel to send to other runs, all in this batch. A promise only when the
   *  store must be asked, or other runs are told: most messages need neither. */
  take(draft: BatchDraft, envelope: Envelope): Promise<void> | undefined {
    this.#now = draft.at;
    draft.envelopes.push(envelope);
    const decision = this.#decideAtOnce(draft, envelope);
    if (decision === undefined || decision.sends.length > 0) return this.#takeSlowly(draft, envelope, decision);
    note(draft, envelope, decision);
    return undefined;
  }

  async #takeSlowly(draft: BatchDraft, envelope: Envelope, decision: Decision | undefined): Promise<void> {
    const decided = decision ?? (await this.#decideSlowly(draft, envelope));
    note(draft, envelope, decided);
    await this.#sendAll(draft, decided?.sends ?? []);
  }

  /** The dispatcher's word on a row that is ready. */
  admit(draft: BatchDraft, held: HeldRun, row: Row): Promise<void> | undefined {
    this.#now = draft.at;
    const { verdict, reason } = row.tool === null ? go : this.#parts.judge(held.frontier.run, row.tool, row.id);
    const message = { kind: "admit", id: `admit:${row.id}:${draft.no}`, row: row.id, verdict, reason } as const;
    const decision = this.#tryDecide(draft, held, message);
    if (decision?.sends.length === 0) return undefined;
    return this.#admitSlowly(draft, held, { message, decision });
  }

  async #admitSlowly(
    draft: BatchDraft,
    held: HeldRun,
    { message, decision }: { readonly message: Message; readonly decision: Decision | undefined },
  ): Promise<void> {
    const decided = decision ?? (await this.#decideOn(draft, held, message));
    await this.#sendAll(draft, decided.sends);
  }

  /** On what is in memory; undefined: something must be brought first. */
  #decideAtOnce(draft: BatchDraft, envelope: Envelope): Decision | undefined {
    const { run, message, birth } = envelope;
    const held = this.#parts.cache.find(run);
    if (held !== undefined) return refuseChanged(held, envelope) ?? this.#tryDecide(draft, held, message);
    if (birth === null) return undefined;
    const { ids } = this.#parts;
    const mark = ids.last;
    this.#brought = null;
    const decided = decide(birth.plan, null, message, this.#env);
    if (decided.kind === "decision") return this.#bear(draft, birth, decided);
    ids.rewind(mark);
    return undefined;
  }

  async #decideSlowly(draft: BatchDraft, envelope: Envelope): Promise<Decision | undefined> {
    const { run, message, birth } = envelope;
    if (birth !== null) {
      const decided = await this.#askUntilDecided({ plan: birth.plan, held: null, message });
      return this.#bear(draft, birth, decided);
    }
    const held = this.#parts.cache.find(run) ?? (await this.load(run));
    if (held === undefined) return undefined;
    return refuseChanged(held, envelope) ?? this.#decideOn(draft, held, message);
  }

  /** A run begins. */
  #bear(draft: BatchDraft, { plan, flow, startKey }: Birth, decision: Decision): Decision {
    const { run } = decision.changes;
    if (run === null) return decision;
    const frontier = { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] };
    const held = createHeldRun({ plan, flow: flow.hash, frontier, written: null });
    this.#parts.cache.hold(held);
    if (!this.#flows.has(flow.hash)) draft.flows.push(flow);
    this.#flows.add(flow.hash);
    if (startKey !== null) draft.startKeys.set(held.id, startKey);
    this.#merge(draft, held, decision);
    return decision;
  }

  #tryDecide(draft: BatchDraft, held: HeldRun, message: Message): Decision | undefined {
    const { ids } = this.#parts;
    const mark = ids.last;
    this.#brought = null;
    const decided = decide(held.plan, held.frontier, message, this.#env);
    if (decided.kind === "decision") {
      this.#merge(draft, held, decided);
      return decided;
    }
    ids.rewind(mark);
    return undefined;
  }

  async #decideOn(draft: BatchDraft, held: HeldRun, message: Message): Promise<Decision> {
    const decision = await this.#askUntilDecided({ plan: held.plan, held, message });
    this.#merge(draft, held, decision);
    return decision;
  }

  #merge(draft: BatchDraft, held: HeldRun, decision: Decision): void {
    // A batch that got to the disk while the store was asked may have let go of it.
    this.#parts.cache.hold(held);
    mergeDecision(draft, held, { decision, brought: this.#brought?.rows ?? null });
    this.#brought = null;
  }

  /** The kernel asks for old rows, is given them, and decides the same message again, with the same ids. */
  async #askUntilDecided(question: {
    readonly plan: Plan;
    readonly held: HeldRun | null;
    readonly message: Message;
  }): Promise<Decision> {
    const { plan, held, message } = question;
    const brought: Brought = { byNeed: new Map(), rows: new Map(), ids: [], used: 0 };
    for (let asked = 0; asked < questionsMax; asked++) {
      brought.used = 0;
      this.#brought = brought;
      const decided = decide(plan, held?.frontier ?? null, message, this.#env);
      if (decided.kind === "decision") return decided;
      await this.#bring(held, decided.needs, brought);
    }
    throw new Error(`the kernel never stops asking for rows, for ${message.kind}`);
  }

  async #bring(held: HeldRun | null, needs: readonly Need[], brought: Brought): Promise<void> {
    // What may not be on disk yet is taken first: it may get there while the store is asked.
    const recent = new Map<RowId, Row>();
    if (held !== null) for (const [id, { row }] of held.recent) recent.set(id, row);
    const unknown = needs.filter((need) => need.kind !== "row" || !recent.has(need.row));
    const stored = held === null || unknown.length === 0 ? [] : await this.#parts.ownership.bring(held.id, unknown);
    for (const need of needs) {
      const rows = new Map((stored[unknown.indexOf(need)] ?? []).map((row) => [row.id, row]));
      for (const [id, row] of recent) rows.set(id, row);
      const picked = pickNeeded(need, rows);
      // The items of an each all name the same earlier step: its row stays at hand for a while.
      if (need.kind === "row") for (const row of picked) if (held !== null) keepRecent(held, row);
      brought.byNeed.set(JSON.stringify(need), picked);
      for (const row of picked) brought.rows.set(row.id, row);
    }
  }

  async #sendAll(draft: BatchDraft, sends: readonly Send[]): Promise<void> {
    for (const send of sends) {
      const { to, message } = send;
      try {
        await this.#deliver(draft, await this.#address(send));
      } catch (error) {
        if (isStoreGone(error)) throw error;
        // The sender's decision stands in the batch already: whom it tells must not be left waiting for ever.
        const isStart = message.kind === "start";
        draft.troubles.push(isStart ? failedChild(message, failureOf(error)) : createEnvelope(to, message));
      }
    }
  }

  async #deliver(draft: BatchDraft, envelope: Envelope): Promise<void> {
    const decision = this.#decideAtOnce(draft, envelope) ?? (await this.#decideSlowly(draft, envelope));
    await this.#sendAll(draft, decision?.sends ?? []);
  }

  /** What starts a sub-run finds its flow here, and its input is checked as at any other door. */
  async #address({ to, message, workflow }: Send): Promise<Envelope> {
    if (workflow === null || message.kind !== "start") return createEnvelope(to, message);
    const { library, shelf } = this.#parts;
    if (workflow.flow === null)
      return failedChild(message, shelf.tellFailure({ name: workflow.name, no: workflow.version }));
    const { plan, record: flow } = await library.loadVersion(workflow.flow);
    const prepared = prepareInput(plan, message.input);
    if (!prepared.ok) {
      const told = prepared.problems.map((problem) => problem.message).join(" ");
      return failedChild(message, { code: "bad_input", message: told });
    }
    return {
      ...createEnvelope(to, { ...message, input: prepared.input }),
      birth: { plan, flow, startKey: null },
    };
  }

  /** Brings a run into memory; undefined: there is none. */
  async load(run: RunId): Promise<HeldRun | undefined> {
    const [loaded] = await this.#parts.ownership.load([run]);
    return loaded === undefined ? undefined : this.#hold(loaded);
  }

  /** Those of them that are not in memory, in one go: asking a server for each would take as long as it takes to answer,
   *  each time. What cannot be brought is left to whoever needs it, and tells then. */
  loadAll(runs: readonly RunId[]): Promise<void> | undefined {
    const absent = [...new Set(runs)].filter((run) => this.#parts.cache.find(run) === undefined);
    return absent.length < 2 ? undefined : this.#loadEach(absent);
  }

  async #loadEach(runs: readonly RunId[]): Promise<void> {
    try {
      for (const loaded of await this.#parts.ownership.load(runs)) await this.#hold(loaded);
    } catch (error) {
      if (isStoreGone(error)) throw error;
    }
  }

  async #hold({ flow, frontier }: LoadedRun): Promise<HeldRun> {
    const { library, cache } = this.#parts;
    const plan = await library.loadPlan(flow);
    const held = createHeldRun({ plan, flow, frontier, written: frontier.run });
    cache.hold(held);
    return held;
  }

  /** What cancelling the run would do, on the rows as they are on disk; undefined: there is no such run. */
  async preview(run: RunId, now: number): Promise<JsonObject | undefined> {
    const found = await this.#lookAt(run, now);
    if (found === undefined) return undefined;
    const { plan, frontier, env } = found;
    const allowed = canCancel(plan, frontier, env);
    const undoable = await this.#undoableRows(run);
    const { transition, aborted, cleanup, undone } = previewCancel(plan, frontier, env, undoable);
    return { ...allowed, transition, aborted, cleanup, undone };
  }

  /** Whether the run may be cancelled, and which transitions may be fired: what costs little to know. */
  async outlook(run: RunId, now: number): Promise<JsonObject | undefined> {
    const found = await this.#lookAt(run, now);
    if (found === undefined) return undefined;
    const { plan, frontier, env } = found;
    const transitions = availableTransitions(plan, frontier, env).map(({ name }) => name);
    return { ...canCancel(plan, frontier, env), transitions };
  }

  /** On the rows as they are on disk. */
  async #lookAt(
    run: RunId,
    now: number,
  ): Promise<{ readonly plan: Plan; readonly frontier: Frontier; readonly env: Env } | undefined> {
    const { ownership, library, ids } = this.#parts;
    const [loaded] = await ownership.load([run]);
    if (loaded === undefined) return undefined;
    const plan = await library.loadPlan(loaded.flow);
    // Apart from what is being decided meanwhile.
    const unused = new IdSource(ids.last);
    const env: Env = { ...this.#env, now, newId: () => unused.next(now), given: () => undefined };
    return { plan, frontier: loaded.frontier, env };
  }

  async #undoableRows(run: RunId): Promise<readonly Row[]> {
    const { ownership } = this.#parts;
    const found: Row[] = [];
    for (let below: number | null = null; ;) {
      const [rows] = await ownership.bring(run, [{ kind: "undo", below }]);
      const [row] = rows ?? [];
      if (row === undefined) return found;
      found.push(row);
      below = row.finishedNo;
    }
  }

  /** Memory was lost: what was thought to be on its way to the disk may not be. */
  forget(): void {
    this.#flows.clear();
  }
}

/** A sub-run that cannot start has failed, and its parent is told so. */
function failedChild({ id, run, parent }: MessageOf<"start">, error: Failure): Envelope {
  const ended = { kind: "child", id, row: parent?.row ?? 0, child: run, status: "failed" } as const;
  return createEnvelope(parent?.run ?? 0, { ...ended, output: null, error });
}

function failureOf(error: unknown): Failure {
  return { code: "start_failed", message: error instanceof Error ? error.message : String(error) };
}

/** What whoever asked is told, and what is on record of it: a message that was taken before changes nothing again. */
function note(draft: BatchDraft, envelope: Envelope, decision: Decision | undefined): void {
  const reply = decision?.reply ?? missing(envelope.run);
  draft.replies.push({ envelope, reply });
  if (envelope.audit === null || decision === undefined || reply.kind === "refused") return;
  const { run, rows, events, signals } = decision.changes;
  if (run !== null || rows.length + events.length > 0 || signals !== null) draft.audit.push(envelope.audit);
}

function missing(run: RunId): Reply {
  return refusal("run_not_found", `There is no run ${run}.`);
}
