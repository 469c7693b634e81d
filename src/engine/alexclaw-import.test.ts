import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createWorld } from "../testing/engine.ts";

const rss = readFileSync(join(import.meta.dirname, "../../examples/seeds/002-rss-export.json"), "utf8");

describe("a file of AlexClaw", () => {
  test("AC-49, AC-51: becomes a pipeline with its positions, skills, configs, prompts, routes and resources", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const imported = await engine.workflows.import(rss, { by: "ann" });
    expect(imported.workflow).toMatchObject({ name: "RSS digest", isEnabled: false, createdBy: "ann" });
    expect(imported.resources).toEqual([{ name: "News feed", url: "https://example.org/feed.xml", action: "create" }]);
    expect(imported.missingTools).toEqual(["llm_transform", "rss_fetch", "score_items", "telegram_notify"]);
    expect(imported.warnings).toContain("Resource 'News feed' created");
    const { workflow, resources } = await engine.workflows.export("RSS digest");
    expect(workflow).toMatchObject({
      description: "Score new feed items and send the best of them",
      flow: {
        triggers: [{ cron: "0 8 * * *" }],
        steps: [
          { position: 1, skill: "rss_fetch", routes: [{ branch: "on_items", goto: 2 }, {}, {}], done: true },
          {
            position: 2,
            skill: "llm_transform",
            llm_tier: "light",
            prompt_template: "Give each of these items a score: {input}",
            config: { on_circuit_open: "fallback", fallback_skill: "score_items", on_missing_skill: "halt" },
          },
          { position: 3, input_from: 2 },
          { position: 4, config: { message: "no news today" } },
          { position: 5 },
        ],
        "x-alexclaw": { metadata: {} },
      },
    });
    expect(resources).toEqual([
      {
        name: "News feed",
        type: "rss_feed",
        url: "https://example.org/feed.xml",
        tags: ["news"],
        metadata: {},
        enabled: true,
        role: "input",
      },
    ]);
  });

  test("AC-53: may have no steps and no resources, and its runs complete at once", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const file = { version: 1, workflow: { name: "empty" }, steps: [], resources: [] };
    const { name, warnings } = await engine.workflows.import(file, { enable: true });
    expect(warnings).toEqual(["The workflow has no steps: its runs complete at once."]);
    const { id } = await engine.start(name);
    expect(await engine.result(id)).toMatchObject({ status: "completed" });
  });

  test("ends where it has routes and none is taken, unless a step could be reached in no other way", async () => {
    await using world = createWorld("memory");
    const called: string[] = [];
    const tools = Object.fromEntries(["a", "b", "c"].map((name) => [name, () => void called.push(name)]));
    const { engine } = await world.open({ tools });
    const step = (position: number, skill: string, routes: readonly Json[] = []): Json => ({ position, skill, routes });
    const ends = [step(1, "a", [{ branch: "on_items", goto: 2 }]), step(2, "b")];
    const strict = await engine.workflows.import(
      { version: 1, workflow: { name: "x" }, steps: ends },
      { enable: true },
    );
    expect(strict.warnings).toEqual([]);
    await engine.result((await engine.start(strict.name)).id);
    expect(called).toEqual(["a"]);
    const goesOn = [step(1, "a", [{ branch: "on_error", goto: 3 }]), step(2, "b"), step(3, "c")];
    const open = await engine.workflows.import(
      { version: 1, workflow: { name: "y" }, steps: goesOn },
      { enable: true },
    );
    expect(open.warnings).toEqual([expect.stringMatching(/^Step steps\/0 has routes, and nothing else leads to/)]);
    await engine.result((await engine.start(open.name)).id);
    expect(called).toEqual(["a", "a", "b", "c"]);
  });
});
