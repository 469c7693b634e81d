// Which servers speak in the new way, kept with the store for the next process.

import type { ServerNotes } from "../servers.ts";
import type { Era } from "./contract.ts";
import type { EraMemory } from "./mcp-server.ts";

/** Kept is only that one speaks in the new way: of the others some may have learnt it since. */
export function createEraNotes(notes: () => ServerNotes | null): EraMemory {
  const found = new Map<string, Era>();
  return {
    recall: (key) => found.get(key) ?? (notes()?.find(`era:${key}`) === "modern" ? "modern" : undefined),
    remember: (key, era) => {
      if (era === undefined) found.delete(key);
      else found.set(key, era);
      const kept = era === "modern" ? era : null;
      if ((notes()?.find(`era:${key}`) ?? null) !== kept) notes()?.put(`era:${key}`, kept);
    },
  };
}
