// What the owner keeps beside the runs (see `Entry`), in memory as it is decided: the rows follow with the next batch.
// All of it is read when the store is claimed; it is little.

import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { AuditRecord } from "../store/audit.ts";
import type { Entry, EntryWrite, Store } from "../store/store.ts";
import type { Aside } from "./batch-draft.ts";
import type { Asking } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import { isNotWritten } from "./failure.ts";

export type EntriesParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** Resolves when it is on disk. */
  readonly write: (aside: Aside) => Promise<void>;
};

export type EntryChange = {
  readonly kind: string;
  readonly key: string;
  /** null: it goes. */
  readonly value: Json | null;
};

/** What is written together with a change. */
export type Along = Pick<Aside, "flows" | "events"> & {
  readonly asking?: Asking;
  /** What whoever asked is told; called when the change is known here. */
  readonly answer?: () => Json;
  /** What is known now of what was asked for, for the record of it. */
  readonly audited?: Partial<Pick<AuditRecord, "subject" | "details">>;
};

export class Entries {
  readonly #parts: EntriesParts;
  readonly #byKind = new Map<string, Map<string, Entry>>();
  /** The last version of what has gone: whatever comes in its place counts on. */
  readonly #gone = new Map<string, number>();

  constructor(parts: EntriesParts) {
    this.#parts = parts;
  }

  async load(kinds: readonly string[]): Promise<void> {
    const found = Map.groupBy(await this.#parts.store.listEntries(...kinds), ({ kind }) => kind);
    for (const kind of kinds) this.#byKind.set(kind, new Map(found.get(kind)?.map((entry) => [entry.key, entry])));
  }

  find(kind: string, key: string): Entry | undefined {
    return this.#of(kind).get(key);
  }

  list(kind: string): readonly Entry[] {
    return [...this.#of(kind).values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  }

  /** All of it in one transaction, with the answer to who asked; known here at once, and answered when it is on disk. */
  change(changes: readonly EntryChange[], along: Along = {}): Promise<Json> {
    const { flows = [], events = [], asking, answer, audited = {} } = along;
    const updatedAt = this.#parts.clock.now();
    const before = changes.map(({ kind, key }) => this.find(kind, key));
    const entries = changes.map(({ kind, key, value }) => {
      const version = (this.find(kind, key)?.version ?? this.#gone.get(nameOf(kind, key)) ?? 0) + 1;
      if (value === null) this.#gone.set(nameOf(kind, key), version);
      if (value === null) this.#of(kind).delete(key);
      else this.#of(kind).set(key, { kind, key, version, updatedAt, value });
      return { kind, key, version, updatedAt, value };
    });
    const told = answer?.() ?? null;
    const answers = asking?.tell(told) ?? [];
    const record = asking?.audit ?? null;
    const details = { ...record?.details, ...audited.details };
    const audit = record === null ? [] : [{ ...record, ...audited, details }];
    return this.#write({ entries, flows, events, answers, audit }, { told, before });
  }

  async #write(
    aside: Aside & { readonly entries: readonly EntryWrite[] },
    { told, before }: { readonly told: Json; readonly before: readonly (Entry | undefined)[] },
  ): Promise<Json> {
    try {
      await this.#parts.write(aside);
      return told;
    } catch (error) {
      if (isNotWritten(error)) for (const [index, entry] of aside.entries.entries()) this.#undo(entry, before[index]);
      throw error;
    }
  }

  /** What the store refuses for good is forgotten here as well, unless it has changed again since. */
  #undo({ kind, key, version }: EntryWrite, before: Entry | undefined): void {
    const known = this.#of(kind);
    if ((known.get(key)?.version ?? this.#gone.get(nameOf(kind, key))) !== version) return;
    if (before === undefined) known.delete(key);
    else known.set(key, before);
  }

  #of(kind: string): Map<string, Entry> {
    const known = this.#byKind.get(kind);
    if (known === undefined) throw new StepwellError("USAGE", `Entries of the kind "${kind}" were never read.`);
    return known;
  }
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}
