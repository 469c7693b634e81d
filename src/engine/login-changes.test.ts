import { expect, test } from "vitest";
import type { Entry } from "../store/store.ts";
import { closeSessions, openSession, useSession } from "./login-changes.ts";

const hour = 3_600_000;

function knownAs(sessions: Readonly<Record<string, readonly [user: string, usedAt: number]>>) {
  const entries: readonly Entry[] = Object.entries(sessions).map(([key, [user, usedAt]]) => ({
    kind: "session",
    key,
    version: 1,
    updatedAt: 0,
    value: { user, createdAt: usedAt, usedAt },
  }));
  return {
    list: (kind: string) => entries.filter((entry) => entry.kind === kind),
    find: (kind: string, id: string) => entries.find((entry) => entry.kind === kind && entry.key === id),
  };
}

test("with the next session that begins, those that have ended go, whoever's they were", () => {
  const known = knownAs({ old: ["bob", 0], fresh: ["bob", 11 * hour] });
  expect(openSession(known, { id: "new", user: "ann" }, 12 * hour)).toEqual([
    { kind: "session", key: "old", value: null },
    { kind: "session", key: "new", value: { user: "ann", createdAt: 12 * hour, usedAt: 12 * hour } },
  ]);
});

test("of twenty browsers the one that was used least lately makes room, and nobody else's does", () => {
  const anns = Array.from({ length: 20 }, (_, index) => [`ann ${index}`, ["ann", 1000 + ((index + 7) % 20)]] as const);
  const known = knownAs({ ...Object.fromEntries(anns), bob: ["bob", 0] });
  const changes = openSession(known, { id: "new", user: "ann" }, 2000);
  expect(changes.map(({ key }) => key)).toEqual(["ann 13", "new"]);
});

test("one that was closed while it was used stays closed", () => {
  const known = knownAs({ one: ["ann", 0] });
  expect(useSession(known, "one", 5)).toEqual([
    { kind: "session", key: "one", value: { user: "ann", createdAt: 0, usedAt: 5 } },
  ]);
  expect(useSession(known, "two", 5)).toEqual([]);
  expect(closeSessions(known, ({ id }) => id === "two")).toEqual([]);
});
