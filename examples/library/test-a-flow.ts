// A test of a flow, with the runner that comes with Node: `node --test examples/library/test-a-flow.ts`. Two days pass in
// milliseconds, and the process "dies" in the middle of a call. Any other runner does as well.
import assert from "node:assert/strict";
import test from "node:test";
import { fakeTool, never, openTestEngine, throws } from "stepwell/testing";

const flow = {
  fetch: { tool: "feed.fetch", retry: { attempts: 3, backoff: ["10s", "1m"] }, next: "review" },
  review: { gate: { title: "Publish?", expires_after: "2d" }, routes: { approved: "publish", expired: "alert" } },
  publish: { tool: "file.write", args: { text: "{{ steps.fetch.result.title }}" }, done: true },
  alert: { tool: "notify", done: true },
};

await test("a feed that fails is tried again, and what is approved is published once", async () => {
  const fetch = fakeTool("feed.fetch", [throws("503"), throws("503"), { title: "Tides" }]);
  const write = fakeTool("file.write", never());
  await using t = await openTestEngine({ now: "2026-03-27T09:00:00Z", tools: [fetch, write, fakeTool("notify")] });
  const run = await t.start(flow);
  await t.advance("70s");
  assert.equal(fetch.calls.length, 3);

  await t.approve((await t.step(run.id, "review")).id, { by: "ann" });
  await t.settle();
  await t.crash(); // as kill -9, while file.write was under way
  await t.settle();
  const [before, after] = write.calls;
  assert.equal(after?.idempotencyKey, before?.idempotencyKey);

  write.release({ path: "digest.md" });
  assert.equal((await t.result(run.id)).status, "completed");
});

await test("a review that nobody looks at expires", async () => {
  const tools = [fakeTool("feed.fetch", { title: "Tides" }), fakeTool("file.write"), fakeTool("notify")];
  await using t = await openTestEngine({ tools });
  const run = await t.start(flow);
  await t.advance("48h");
  assert.deepEqual(await t.steps(run.id), ["fetch done", "review done", "alert done"]);
});
