import { expect, test } from "vitest";
import { emptyDraft, readDraft } from "./draft.ts";

test("a draft without a flow, or with an input that is no JSON, says what is missing", () => {
  expect(readDraft(emptyDraft)).toMatchObject({ ok: false, field: "flow" });
  expect(readDraft({ ...emptyDraft, flow: "a: b", input: "{" })).toMatchObject({ ok: false, field: "input" });
});

test("a flow goes as it was written, and no input is an empty one", () => {
  expect(readDraft({ ...emptyDraft, flow: "start: {}\n", input: " " })).toEqual({
    ok: true,
    flow: "start: {}\n",
    input: {},
  });
});
