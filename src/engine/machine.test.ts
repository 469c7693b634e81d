import { expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";

const review = {
  format: "stepwell/v1",
  name: "review",
  states: { draft: { initial: true }, review: {}, published: { terminal: "success" } },
  transitions: [
    { name: "submit", from: "draft", to: "review" },
    { name: "publish", from: "review", to: "published" },
  ],
};

test("SB-12: an instance of a machine has its definition, its current state and its history, also after a restart", async () => {
  await using world = createWorld("file");
  const first = await world.open();
  const { id } = await first.engine.start(review);
  await first.engine.fire(id, { transition: "submit", by: "ann" });
  expect(await first.steps(id)).toBe("draft done, review pending");
  await first.crash();
  const second = await world.open();
  expect(await second.steps(id)).toBe("draft done, review pending");
  await second.engine.fire(id, { transition: "publish", by: "bob" });
  expect(await second.engine.result(id)).toMatchObject({ status: "completed", terminalKind: "success" });
  const told = (await second.engine.history(id)).flatMap((entry) => (entry.kind === "event" ? [entry.by] : []));
  expect(told).toEqual(["ann", "bob"]);
});
