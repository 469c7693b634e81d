// docs/builtin-tools.md shows what there is, and its flows give what it says.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBuiltinTools, openEngine, type BuiltinOptions, type Engine, type Json } from "../src/index.ts";
import { addressFor } from "../src/testing/store-place.ts";
import { readText } from "./example-files.ts";

const page = readText("docs/builtin-tools.md");
const root = join(import.meta.dirname, "..");

let folder = "";
let engine: Engine | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
});

afterEach(async () => {
  await engine?.stop({ now: true });
  engine = null;
  rmSync(folder, { recursive: true });
});

async function open(options: Partial<BuiltinOptions>): Promise<Engine> {
  const tools = createBuiltinTools({ now: Date.now, filesFolder: join(folder, "files"), ...options });
  engine = await openEngine({ store: addressFor(join(folder, "stepwell.db")), tools });
  return engine;
}

/** What the addresses on the page answer with. */
const web: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  "https://news.example/feed.xml": {
    type: "application/rss+xml",
    body: "<rss><channel><title>News</title><item><title>Tides</title></item><item><title>Harbours</title></item></channel></rss>",
  },
  "https://shop.example/orders/7": { type: "application/json", body: '{"items":[{"price":30}]}' },
};

const fetch: NonNullable<BuiltinOptions["fetch"]> = async ({ url }) => {
  const { type, body } = web[url] ?? { type: "text/plain", body: "" };
  return {
    status: web[url] === undefined ? 404 : 200,
    url,
    headers: { "content-type": type },
    body: Buffer.from(body),
  };
};

describe("the page", () => {
  const flows = [...page.matchAll(/^```yaml\n(.*?)^```\n\n```json\n(.*?)^```$/gms)].map(([, flow = "", given = ""]) => {
    const expected: Json = JSON.parse(given);
    return { flow, expected };
  });

  test("shows what each of its flows gives", () => {
    expect(flows).toHaveLength([...page.matchAll(/^```yaml$/gm)].length);
    expect(flows).toHaveLength(2);
  });

  test.each(flows)("is right about $expected", async ({ flow, expected }) => {
    const opened = await open({ fetch });
    const { id } = await opened.start(flow);
    expect(await opened.result(id)).toMatchObject(Object(expected));
  });

  test("lists every tool with its effect, and no other", () => {
    const rows = [...page.matchAll(/^\| `([\w.]+)` \|.*\| (read|idempotent|write) \|$/gm)];
    const listed = rows.map(([, name, effect]) => `${name} ${effect}`);
    const there = createBuiltinTools({ now: Date.now, say: () => undefined });
    expect(listed.toSorted()).toEqual(there.map(({ name, effect }) => `${name} ${effect}`).toSorted());
  });

  test("names every argument of every tool that takes some", () => {
    for (const { name, input } of createBuiltinTools({ now: Date.now })) {
      const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      if (/\| (?:anything|nothing) \|/.test(row)) continue;
      const keys = Object.keys(input?.["properties"] ?? {}).filter((key) => key !== "input");
      for (const key of keys) expect(row).toContain(`\`${key}\``);
    }
  });

  test("lists every code with which these tools fail", () => {
    const listed = new Set(
      [...page.slice(page.indexOf("## Failures")).matchAll(/`([a-z_]+)`/g)].map(([, code]) => code),
    );
    const sources = readdirSync(join(root, "src/tool/builtin"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(root, "src/tool/builtin", name), "utf8"))
      .join("\n");
    const used = [...sources.matchAll(/code: "([a-z_]+)"|HttpError\("([a-z_]+)"|Or\(input, "code", "([a-z_]+)"/g)];
    const codes = new Set(used.map((match) => match[1] ?? match[2] ?? match[3]));
    expect([...codes].filter((code) => !listed.has(code))).toEqual([]);
    expect([...listed].filter((code) => !codes.has(code))).toEqual([]);
  });

  test("shows a program as it is, and the program runs", () => {
    const [, path = "", shown = ""] = /^```ts (examples\/\S+)\n(.*?)^```$/ms.exec(page) ?? [];
    expect(shown).toBe(readText(path));
    const files = join(folder, "files");
    const printed = execFileSync(process.execPath, [path, files], { cwd: root, encoding: "utf8" });
    expect(printed).toBe("log: 6 bytes in said/today.txt\ncompleted\n");
    expect(readFileSync(join(files, "said/today.txt"), "utf8")).toBe("HELLO!");
  });
});

describe("in a run", () => {
  test("a write that was sent and not answered is uncertain; as a read it is tried again", async () => {
    let asked = 0;
    const server = createServer((request) => {
      asked += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const opened = await open({ httpHosts: [`private:127.0.0.1:${port}`] });
      const step = { tool: "http.request", args: { url: `http://127.0.0.1:${port}/`, method: "POST" }, done: true };
      const write = await opened.start({ start: step });
      for await (const { status } of opened.watch(write.id)) if (status === "uncertain") break;
      expect([asked, (await opened.get(write.id)).status]).toEqual([1, "running"]);
      const retry = { attempts: 2, backoff: ["1ms"] };
      const read = await opened.start({ start: { ...step, effect: "idempotent", retry } });
      expect(await opened.result(read.id)).toMatchObject({ status: "failed", error: { code: "unknown_outcome" } });
      expect(asked).toBe(3);
    } finally {
      server.close();
    }
  });

  test("E3-45: a flow with a wrong argument is refused when it is started, and what was expected is said", async () => {
    const opened = await open({});
    const flow = { start: { tool: "file.write", args: { file: "a.txt", text: "x" }, done: true } };
    await expect(opened.start(flow)).rejects.toMatchObject({
      code: "FLOW_INVALID",
      message: expect.stringContaining("Expected path, text; given file, text.") as string,
    });
  });

  test("tools that need no arguments take part in a pipeline, and the last one says what it is handed", async () => {
    const said: string[] = [];
    const opened = await open({ say: (text) => void said.push(text) });
    const names = [
      "time.now",
      "outcomes.query",
      "demo.sleep",
      "demo.flaky",
      "demo.random",
      "demo.counter",
      "demo.page",
      "demo.feed",
      "log",
    ];
    const retry = { attempts: 3, backoff: ["1ms"] };
    const run = await opened.start({ steps: names.map((tool) => ({ tool, retry })) });
    expect(await opened.result(run.id)).toMatchObject({ status: "completed" });
    expect(said).toEqual(['{"items":[]}']);
  });
});
