// Takes the ownership of a store for as long as a copy lasts. Whoever has it is asked to hand over; one that keeps the
// store open for people does not, and is named.

import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { StepwellError } from "../../error.ts";
import type { OwnerCard, Ownership, Store } from "../store.ts";

/** Calls under way may take ten seconds to finish, and a dead owner of a server is known as dead after fifteen. */
const waitMaxMs = 20_000;
const claimEveryMs = 50;

/** One for all that a copy owns. */
export function createCard(): OwnerCard {
  return { pid: process.pid, host: hostname(), role: "command", since: Date.now(), address: null };
}

export async function holdStore(store: Store, card: OwnerCard, waitMs: number = waitMaxMs): Promise<Ownership> {
  const deadline = performance.now() + waitMs;
  let isAsked = false;
  for (;;) {
    const claim = await store.claim(card);
    if (claim.kind === "owned") return claim.ownership;
    const { owner } = claim;
    if (owner?.pid === card.pid && owner.host === card.host && owner.since === card.since) throw refuseSame(store.name);
    if (owner?.role === "up" || performance.now() > deadline) throw refuseOwner(store.name, owner);
    if (!isAsked) await store.post({ kind: "hand_over" }, "migrate");
    isAsked = true;
    await sleep(claimEveryMs);
  }
}

function refuseSame(name: string): StepwellError {
  return new StepwellError("USAGE", `${name} is both: a store cannot be moved to itself.`);
}

function refuseOwner(name: string, owner: OwnerCard | undefined): StepwellError {
  const who = owner === undefined ? "Another process" : `Process ${owner.pid} on ${owner.host}`;
  const why = owner?.role === "up" ? "and keeps it" : "and does not hand it over";
  return new StepwellError("STORE_BUSY", `${who} owns ${name} ${why}; stop it first. Nothing was changed.`, {
    details: { name, ...(owner === undefined ? {} : { owner }) },
  });
}
