// Which servers have asked without saying for which call, kept with the store: calls of these take turns, in the next
// process too. It is known of the program or the address that stood behind the key then, and for as long as that asks now
// and then: a server that has learnt better is not slowed down for ever.

import { isObject, own, type Json } from "../../flow/json.ts";
import type { ServerNotes } from "../servers.ts";
import type { AskMemory } from "./mcp-server.ts";

const dayMs = 86_400_000;
const keptMs = 30 * dayMs;

type AskNotesParts = {
  /** null: nothing can be kept now. */
  readonly notes: () => Pick<ServerNotes, "find" | "put"> | null;
  /** What stands behind the key now, as a hash. */
  readonly targetOf: (key: string) => string;
  readonly now: () => number;
};

export function createAskNotes({ notes, targetOf, now }: AskNotesParts): AskMemory {
  const isWithin = (key: string, limitMs: number): boolean => {
    const { target, at } = parse(notes()?.find(`asks:${key}`));
    return target === targetOf(key) && now() - at < limitMs;
  };
  return {
    recall: (key) => isWithin(key, keptMs),
    remember: (key) => {
      // Once a day is enough for what is kept for thirty.
      if (!isWithin(key, dayMs)) notes()?.put(`asks:${key}`, { target: targetOf(key), at: now() });
    },
  };
}

function parse(note: Json | undefined): { readonly target: string | null; readonly at: number } {
  const target = note !== undefined && isObject(note) ? own(note, "target") : undefined;
  const at = note !== undefined && isObject(note) ? own(note, "at") : undefined;
  return { target: typeof target === "string" ? target : null, at: typeof at === "number" ? at : 0 };
}
