// What seed 002 tells of a pipeline, as it happens in the kernel.

import { describe, expect, test } from "vitest";
import { startKernel, type Kernel } from "../src/testing/kernel.ts";
import { planFrom } from "./example-files.ts";
import { called, play, rowsSeen, startSeed } from "./seed-runs.ts";

const items = [{ title: "News" }];
const offline = { code: "offline", message: "The feed does not answer." };

/** The digest, with its first call under way. */
function startDigest(name = "002-rss"): Kernel {
  const kernel = startSeed(name);
  kernel.admitAll();
  return kernel;
}

describe("the RSS digest", () => {
  test("AC-02, AC-04, AC-15: with items it scores and sends them, each step given what the one before it gave", () => {
    const kernel = startDigest();
    kernel.finish("fetch", items, "items");
    play(kernel, { score_items: [9], telegram_notify: "sent" });
    expect(rowsSeen(kernel)).toEqual(["fetch: done", "score: done", "send: done"]);
    expect(called(kernel)).toEqual([
      ["rss_fetch", { input: {} }],
      ["score_items", { input: items }],
      ["telegram_notify", { input: [9] }],
    ]);
    expect(kernel.run()).toMatchObject({ status: "completed", output: "sent" });
  });

  test("AC-02: with nothing new it says so, and nothing is scored", () => {
    const kernel = startDigest();
    kernel.finish("fetch", [], "empty");
    play(kernel);
    expect(rowsSeen(kernel)).toEqual(["fetch: done", "no_news: done"]);
    expect(called(kernel)[1]).toEqual(["telegram_notify", { message: "no news today" }]);
    expect(kernel.run().status).toBe("completed");
  });

  test("AC-02, AC-09: with a broken feed it tells what broke; the step keeps its error and the run completes", () => {
    const kernel = startDigest();
    kernel.fail("fetch", offline);
    play(kernel);
    expect(rowsSeen(kernel)).toEqual(["fetch: failed", "failure: done"]);
    expect(called(kernel)[1]).toEqual(["telegram_notify", { message: `The feed failed: ${JSON.stringify(offline)}` }]);
    expect(kernel.row("fetch")).toMatchObject({ outcome: "error", error: offline });
    expect(kernel.run().status).toBe("completed");
  });

  test("AC-08: an error without a route fails the run; what came before is kept, what follows never was", () => {
    const kernel = startDigest();
    kernel.finish("fetch", items, "items");
    kernel.admitAll();
    kernel.fail("score", offline);
    expect(rowsSeen(kernel)).toEqual(["fetch: done", "score: failed"]);
    expect(kernel.row("fetch").result).toEqual(items);
    expect(kernel.run()).toMatchObject({ status: "failed", error: offline });
  });

  test("AC-03, AC-04: an answer without a branch falls through to the next position, as does one that is not routed", () => {
    for (const outcome of [null, "surprise"]) {
      const kernel = startDigest();
      kernel.finish("fetch", items, outcome);
      expect(rowsSeen(kernel)).toEqual(["fetch: done", "score: ready"]);
    }
  });

  test.each(["items", "empty", "error"])(
    "AC-01: with %s there is one path: never more than one step is live",
    (way) => {
      const kernel = startDigest();
      const live: number[] = [kernel.run().live];
      if (way === "error") kernel.fail("fetch");
      else kernel.finish("fetch", items, way);
      while (kernel.run().live > 0) {
        live.push(kernel.run().live);
        kernel.admitAll();
        kernel.finish(kernel.rows().at(-1)?.step ?? "");
      }
      expect(new Set(live)).toEqual(new Set([1]));
      expect(kernel.run().status).toBe("completed");
    },
  );
});

describe("the digest as another engine exported it", () => {
  test("AC-02, AC-15: goes the same way, and a step may be given the output of an earlier position", () => {
    const kernel = startDigest("002-rss-export");
    kernel.finish("Fetch RSS feeds", items, "items");
    play(kernel, { llm_transform: "scores", telegram_notify: "sent" });
    expect(rowsSeen(kernel)).toEqual(["Fetch RSS feeds: done", "Score items: done", "Send the digest: done"]);
    expect(called(kernel)[2]).toMatchObject(["telegram_notify", { input: "scores" }]);
    expect(kernel.run().status).toBe("completed");
  });

  test("AC-15: input_from reaches back over the step before", () => {
    const kernel = startKernel(
      planFrom({ steps: [{ tool: "fetch" }, { tool: "score" }, { tool: "send", input_from: 1 }] }),
    );
    play(kernel, { fetch: items, score: "scores" });
    expect(called(kernel)[2]).toEqual(["send", { input: items }]);
  });

  test("AC-34: where its circuit is open the fallback scores, with the same arguments", () => {
    const kernel = startDigest("002-rss-export");
    kernel.finish("Fetch RSS feeds", items, "items");
    const { id, args } = kernel.row("Score items");
    kernel.send({ kind: "admit", row: id, verdict: "circuit_open" });
    play(kernel, { score_items: [9] });
    expect(called(kernel)[1]).toEqual(["score_items", args]);
    expect(kernel.row("Score items")).toMatchObject({ status: "done", tool: "score_items", result: [9] });
    expect(kernel.run().status).toBe("completed");
  });

  const halts = [
    ["circuit_open", "circuit_open"],
    ["tool_missing", "unknown_tool"],
  ] as const;

  test.each(halts)("AC-34: halt is the default: %s fails the step with %s", (verdict, code) => {
    const kernel = startDigest();
    kernel.finish("fetch", items, "items");
    kernel.send({ kind: "admit", row: kernel.row("score").id, verdict });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code } });
  });

  test.each(["circuit_open", "tool_missing"] as const)(
    "AC-34: with skip and %s its input goes on to the next",
    (verdict) => {
      const skipping = { name: "score", tool: "score", on_circuit_open: "skip", on_missing_skill: "skip" };
      const kernel = startKernel(planFrom({ steps: [{ name: "fetch", tool: "fetch" }, skipping, { tool: "send" }] }));
      kernel.admitAll();
      kernel.finish("fetch", items);
      kernel.send({ kind: "admit", row: kernel.row("score").id, verdict });
      play(kernel);
      expect(kernel.rows().map(({ status, outcome }) => [status, outcome])).toEqual([
        ["done", "success"],
        ["skipped", "skipped"],
        ["done", "success"],
      ]);
      expect(called(kernel)[1]).toEqual(["send", { input: items }]);
    },
  );
});
