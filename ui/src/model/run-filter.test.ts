import { expect, test } from "vitest";
import {
  addWords,
  chipsOf,
  complete,
  readAddress,
  suggest,
  notUnderstood,
  tellUnfinished,
  tellUnknown,
  unfinishedWords,
  unknownWords,
  viewOf,
  views,
  without,
} from "./run-filter.ts";

test("words with a key become filters, and the rest is text", () => {
  expect(addWords({}, 'status:failed high tide input.topic=tides workflow:"my flow" by:ann')).toEqual({
    status: "failed",
    field: "topic=tides",
    workflow: "my flow",
    by: "ann",
    text: "high tide",
  });
});

test("a word takes the place of the one with the same key", () => {
  expect(addWords({ status: "failed", text: "old" }, "status:running")).toEqual({ status: "running", text: "old" });
});

test("a key that nobody knows is told, not looked for as a text; one without a value is nothing", () => {
  const typed = "colour:red status: size:9 tide";
  expect(addWords({}, typed)).toEqual({ text: "tide" });
  expect(unknownWords(typed)).toEqual(["colour:red", "size:9"]);
  expect(tellUnknown(["colour:red"])).toMatch(/^There is no filter colour\. .*status: .*"colour:red"\.$/);
  expect(tellUnknown(["colour:red", "size:9"])).toMatch(/^There are no filters colour and size\./);
});

test("a filter with nothing behind its colon is said to be unfinished", () => {
  expect(unfinishedWords("status: tide by:ann workflow:")).toEqual(["status:", "workflow:"]);
  expect(unfinishedWords("error: 12:30 status:failed")).toEqual([]);
  expect(tellUnfinished(["status:"])).toBe(
    "status: is an unfinished filter: say what stands behind the colon, such as status:running.",
  );
  expect(tellUnfinished(["by:", "id:"])).toBe("by: and id: are unfinished filters: say what stands behind the colon.");
});

test.each(["12:30", "https://example.org/a", "C:\\files", "error:", '"colour:red"'])(
  "%s is a text, colon and all",
  (typed) => {
    expect(unknownWords(typed)).toEqual([]);
    const filter = addWords({}, typed);
    expect(filter).toEqual({ text: typed.replaceAll('"', "") });
    expect(addWords({}, chipsOf(filter)[0]?.word ?? "")).toEqual(filter);
  },
);

test("flow, from and to are other words for workflow, since and until, typed or in the address", () => {
  const filter = { workflow: "digest", since: "2h", until: "1h" };
  expect(addWords({}, "flow:digest from:2h To:1h")).toEqual(filter);
  expect(readAddress({ flow: "digest", from: "2h", to: "1h" })).toEqual(filter);
  expect(readAddress({ flow: "other", workflow: "digest", start: "x", id: "", by: "me" })).toEqual({
    workflow: "digest",
    by: "me",
  });
});

test("chips read back as the filter that they stand for", () => {
  const filter = {
    status: "failed",
    workflow: "my flow",
    trigger: "schedule",
    by: "me",
    since: "2h",
    until: "1h",
    id: "17",
    field: "order.no=17",
    text: "tide",
  };
  const words = chipsOf(filter).map(({ word }) => word);
  expect(words).toContain('workflow:"my flow"');
  expect(addWords({}, words.join(" "))).toEqual(filter);
});

test("a chip that is taken off leaves the others", () => {
  expect(without({ status: "failed", by: "ann" }, { keys: ["status"] })).toEqual({ by: "ann" });
});

test("a view is known by its filter, and by nothing more", () => {
  for (const { id, filter } of views) expect(viewOf(filter)).toBe(id);
  expect(viewOf({ status: "failed", text: "tide" })).toBeNull();
  expect(viewOf({ status: "completed" })).toBeNull();
});

test("keys are suggested, then the values of a key, and a choice takes the last word's place", () => {
  const known = { workflows: ["digest", "my flow"], users: ["ann", "me"] };
  expect(suggest("", known).map(({ word }) => word)).toContain("status:");
  const [status] = suggest("tide sta", known);
  expect(status).toMatchObject({ word: "status:", isWhole: false });
  expect(status === undefined ? "" : complete("tide sta", status)).toBe("tide status:");
  expect(suggest("status:fa", known).map(({ word }) => word)).toEqual(["status:failed"]);
  expect(suggest("by:", known).map(({ word }) => word)).toEqual(["by:me", "by:ann"]);
  const [flow] = suggest('workflow:"my', known);
  expect(flow === undefined ? "" : complete('workflow:"my', flow)).toBe('workflow:"my flow" ');
  expect(suggest("flow:dig", known).map(({ word }) => word)).toEqual(["workflow:digest"]);
  expect(suggest("flo", known).map(({ word }) => word)).toEqual(["flow:"]);
  expect(suggest("trigger:s", known).map(({ word }) => word)).toContain("trigger:schedule");
  expect(suggest("xyz", known)).toEqual([]);
});

test("an hour is one chip in the words of a clock, and goes as a whole", () => {
  const from = new Date(2026, 10, 18, 2).getTime();
  const filter = { since: String(from), until: String(from + 3_600_000), status: "failed" };
  const [status, hour] = chipsOf(filter);
  expect([status?.word, hour?.word]).toEqual(["status:failed", "18 Nov 02:00–03:00"]);
  expect(hour === undefined ? {} : without(filter, hour)).toEqual({ status: "failed" });
  expect(chipsOf({ since: String(from) }).map(({ word }) => word)).toEqual(["since 18 Nov 02:00"]);
  const long = { since: String(from), until: String(from + 25 * 3_600_000) };
  expect(chipsOf(long).map(({ word }) => word)).toEqual(["18 Nov 02:00–19 Nov 03:00"]);
  const midnight = { since: String(from - 3 * 3_600_000), until: String(from - 2 * 3_600_000) };
  expect(chipsOf(midnight).map(({ word }) => word)).toEqual(["17 Nov 23:00–00:00"]);
});

test("what was not understood stays to be written otherwise, with a note; what was understood has none", () => {
  expect(notUnderstood("status:failed tide")).toEqual({ note: null, left: "" });
  const { note, left } = notUnderstood("by: colour:red tide");
  expect(left).toBe("colour:red by:");
  expect(note).toMatch(/^There is no filter colour\..*by: is an unfinished filter/);
});
