import { expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";

const flow = {
  start: "list",
  steps: {
    list: { set: { items: Array.from({ length: 300 }, (_, index) => index), suffix: "!" }, next: "say" },
    say: {
      tool: "say",
      each: { items: "{{ steps.list.result.items }}" },
      args: { text: "{{ item }}{{ steps.list.result.suffix }}" },
      done: true,
    },
  },
};

test("items that name an earlier step do not ask the store for its row one by one", async () => {
  await using world = createWorld("memory");
  const { engine, store } = await world.open({ tools: { say: ({ text }) => text } });
  const { id } = await engine.start(flow);
  const { output } = await engine.result(id);
  expect(output).toHaveLength(300);
  expect(output).toContain("299!");
  expect(store.counts.get("bring") ?? 0).toBeLessThan(60);
});
