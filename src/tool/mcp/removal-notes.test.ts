import { expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import type { ServerNotes } from "../servers.ts";
import { RemovalNotes } from "./removal-notes.ts";

function createNotes(now: () => number): ServerNotes {
  const kept = new Map<string, { readonly key: string; readonly value: Json; readonly updatedAt: number }>();
  return {
    find: (key) => kept.get(key)?.value,
    list: () => [...kept.values()],
    put: (key, value) => {
      if (value === null) kept.delete(key);
      else kept.set(key, { key, value, updatedAt: now() });
    },
  };
}

test("what was removed is known to the next owner until that has done it again, and to nobody after ten minutes", () => {
  let now = 0;
  const notes = createNotes(() => now);
  notes.put("era:files", "modern");
  const first = new RemovalNotes(notes, now);
  first.begin("files", "files-server");
  // To the one who does it, it is gone.
  expect(first.find("files")).toBeUndefined();

  const second = new RemovalNotes(notes, now);
  expect([second.find("files"), second.find("others")]).toEqual(["files-server", undefined]);
  second.end("files");
  expect(second.find("files")).toBeUndefined();

  // It may have died over it, too.
  now = 600_000;
  expect(new RemovalNotes(notes, now).find("files")).toBe("files-server");
  now = 600_001;
  expect(new RemovalNotes(notes, now).find("files")).toBeUndefined();
  expect(notes.list().map(({ key }) => key)).toEqual(["era:files"]);
});
