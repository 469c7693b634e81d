// A command's engine: opened on the store, with the demo tools, as its owner if nobody has it, else as a guest.

import { existsSync } from "node:fs";
import { StepwellError } from "../error.ts";
import type { Engine } from "../engine/engine.ts";
import { toPlainText } from "../flow/draw/text.ts";
import { openEngine } from "../open-engine.ts";
import type { Durability } from "../store/store.ts";
import { createDemoTools } from "../tool/demo.ts";
import { commandOf } from "./program.ts";

export type Session = { readonly engine: Engine; readonly store: string };

export type SessionWish = {
  readonly store: string;
  readonly durability: Durability;
  readonly say: (text: string) => void;
};

export async function openSession({ store, durability, say }: SessionWish): Promise<Session> {
  const engine = await openEngine({
    store,
    durability,
    role: "command",
    tools: createDemoTools((message) => say(`log: ${toPlainText(message)}`)),
    onProblem: ({ message, code }) => say(`problem: ${message} (${code})`),
  });
  say(engine.isOwner ? `store: ${store}` : `store: ${store}, as a guest: another process runs it and does the work`);
  if (durability === "fast") say("durability: fast; what is acknowledged may be lost in a power cut");
  return { engine, store };
}

/** Of commands that only look at what is there. */
export function refuseMissing(store: string): void {
  if (store === ":memory:" || existsSync(store)) return;
  throw new StepwellError("FILE_NOT_FOUND", `There is no store "${store}".`, {
    hint: "--store FILE names another one; stepwell run makes one",
  });
}

/** To a command that does one thing and goes: what follows from it needs somebody who stays. */
export function nobodyWorks(store: string): string {
  return `Nobody else works on ${store} now; what follows is done by: ${commandOf(`watch RUN --store ${store}`)}`;
}
