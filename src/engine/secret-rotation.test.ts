import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { KeyRing } from "../access/key-ring.ts";
import { createSecretKey } from "../access/seal.ts";
import { StepwellError } from "../error.ts";
import { codeOfRejection, createWorld, type OpenedEngine, type World } from "../testing/engine.ts";
import type { Json } from "../flow/json.ts";
import { systemClock } from "./clock.ts";
import { Secrets } from "./secrets.ts";

const clock = systemClock;
const tools = { use: ({ key }: { key: string }) => key.length };

function flowWith(name: string): Json {
  return { start: { tool: "use", args: { key: `{{ secrets.${name} }}` }, done: true } };
}

async function outcomeOf({ engine }: OpenedEngine, name: string): Promise<unknown> {
  const { id } = await engine.start(flowWith(name));
  const { error, output } = await engine.result(id);
  return error?.code ?? output;
}

function keysOf({ path }: World): readonly string[] {
  return readFileSync(`${path}-key`, "utf8").trim().split("\n");
}

describe("with several processes", () => {
  test("what a guest sets after another's rotation opens after a restart", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ clock, tools });
    const { engine: one } = await world.open({ clock });
    const { engine: other } = await world.open({ clock });
    await other.secrets.set("FIRST", "first-value");
    expect(await one.secrets.rotate()).toBe(1);
    expect(keysOf(world)).toHaveLength(1);
    await other.secrets.set("SECOND", "second-value");
    await one.stop();
    await other.stop();
    await owner.engine.stop();
    const again = await world.open({ clock, tools });
    expect(await outcomeOf(again, "FIRST")).toBe(11);
    expect(await outcomeOf(again, "SECOND")).toBe(12);
    expect(await again.engine.secrets.rotate()).toBe(2);
  });

  test("a guest sets again after the owner's rotation", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ clock, tools });
    const { engine: guest } = await world.open({ clock });
    await guest.secrets.set("FIRST", "first-value");
    await owner.engine.secrets.rotate();
    await guest.secrets.set("SECOND", "second-value");
    expect(await outcomeOf(owner, "SECOND")).toBe(12);
  });

  test("a guest goes back to the key before, and nothing is lost", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ clock, tools });
    const { engine: guest } = await world.open({ clock });
    await guest.secrets.set("FIRST", "first-value");
    const before = keysOf(world);
    await owner.engine.secrets.rotate();
    expect(await guest.secrets.rotate(before[0])).toBe(1);
    expect(keysOf(world)).toEqual(before);
    await guest.stop();
    await owner.engine.stop();
    expect(await outcomeOf(await world.open({ clock, tools }), "FIRST")).toBe(11);
  });

  test("what was sealed just before a key was taken away is sealed once more", async () => {
    await using world = createWorld("file");
    const { store } = await world.open({ clock });
    const path = `${world.path}-key`;
    const [ring, others] = [new KeyRing({ given: undefined, path }), new KeyRing({ given: undefined, path })];
    const asked: Json[] = [];
    const next = createSecretKey();
    const ask = async (_clerk: string, message: Json): Promise<Json> => {
      asked.push(message);
      if (asked.length === 1) others.add(next);
      throw new StepwellError("SECRET_KEY_UNUSABLE", "no");
    };
    const secrets = new Secrets({ store: store.store, clock, ask, allow: () => Promise.resolve() }, ring);
    expect(await codeOfRejection(secrets.set("A", "value"))).toBe("SECRET_KEY_UNUSABLE");
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({ sealed: { keyId: next.id } });
    expect(await codeOfRejection(secrets.set("A", "value"))).toBe("SECRET_KEY_UNUSABLE");
    expect(asked).toHaveLength(3);
  });

  test("rotations at the same time leave everything open", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ clock, tools });
    const { engine: guest } = await world.open({ clock });
    await guest.secrets.set("FIRST", "first-value");
    await Promise.all([
      guest.secrets.rotate(),
      owner.engine.secrets.rotate(),
      guest.secrets.set("SECOND", "second-value"),
    ]);
    expect(keysOf(world)).toHaveLength(1);
    await guest.stop();
    await owner.engine.stop();
    const again = await world.open({ clock, tools });
    expect(await outcomeOf(again, "FIRST")).toBe(11);
    expect(await outcomeOf(again, "SECOND")).toBe(12);
  });

  test("a rotation that is refused takes no key away that was used meanwhile", async () => {
    await using world = createWorld("file");
    const first = await world.open({ clock, secretKey: "aa".repeat(32) });
    await first.engine.secrets.set("LOST", "lost-value");
    await first.engine.stop();
    const owner = await world.open({ clock, tools });
    const { engine: guest } = await world.open({ clock });
    const next = createSecretKey();
    // Another process has put its key into the file and not asked yet; what is set now is sealed with it.
    new KeyRing({ given: undefined, path: `${world.path}-key` }).add(next);
    await guest.secrets.set("FIRST", "first-value");
    expect(await codeOfRejection(guest.secrets.rotate(next.bytes.toString("hex")))).toBe("SECRET_KEY_UNUSABLE");
    expect(keysOf(world)).toContain(next.bytes.toString("base64"));
    await guest.stop();
    await owner.engine.stop();
    expect(await outcomeOf(await world.open({ clock, tools }), "FIRST")).toBe(11);
  });

  test("what was sealed with an older key of the environment is kept under the first", async () => {
    await using world = createWorld("file");
    const [old, next] = ["aa".repeat(32), "bb".repeat(32)];
    const owner = await world.open({ clock, secretKey: `${next} ${old}` });
    const { engine: guest } = await world.open({ clock, secretKey: old });
    await guest.secrets.set("FIRST", "first-value");
    await guest.stop();
    await owner.engine.stop();
    expect(await outcomeOf(await world.open({ clock, tools, secretKey: next }), "FIRST")).toBe(11);
  });
});

describe("what is masked", () => {
  const leak = { leak: () => "old-value-123 new-value-456 removed-value-9" };
  const masked = "[secret A] [secret A] [secret B]";
  const leaky = { start: { tool: "leak", done: true } };

  test("are also the values before, and what was set since a tool has spoken", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: leak });
    await engine.result((await engine.start(leaky)).id);
    await engine.secrets.set("A", "old-value-123");
    await engine.secrets.set("A", "new-value-456");
    await engine.secrets.set("B", "removed-value-9");
    await engine.secrets.remove("B");
    expect((await engine.result((await engine.start(leaky)).id)).output).toBe(masked);
  });

  test("are also values that were there when the engine was opened and have gone since", async () => {
    await using world = createWorld("file");
    const first = await world.open();
    await first.engine.secrets.set("A", "old-value-123");
    await first.engine.secrets.set("B", "removed-value-9");
    await first.crash();
    const { engine } = await world.open({ tools: leak });
    await engine.secrets.rotate();
    await engine.secrets.set("A", "new-value-456");
    await engine.secrets.remove("B");
    expect((await engine.result((await engine.start(leaky)).id)).output).toBe(masked);
  });
});
