// The command line through a server: the same words print the same documents and end with the same codes as on a file.

import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBuiltinTools } from "../src/index.ts";
import { openInside, refusalOf, type Inside } from "./cli/inside.ts";
import { flows, type, typed, type Known } from "./remote/commands.ts";
import { withoutChance } from "./remote/plain.ts";
import { startServer, type TestServer } from "./remote/server.ts";

let file: Inside;
let through: Inside;
let server: TestServer;
const here: Known = new Map();
const there: Known = new Map();

beforeAll(async () => {
  file = openInside();
  const place = openInside();
  const tools = createBuiltinTools({ now: Date.now, say: () => {} });
  server = await startServer({ store: place.store, tools });
  through = { ...openInside({ environment: { STEPWELL_URL: server.url } }), remove: place.remove };
  for (const inside of [file, through]) {
    for (const [name, text] of Object.entries(flows)) inside.write(name, text);
    inside.write("hello.test.yaml", "flow: hello.yaml\ncases:\n  - name: greets\n    input: { who: Ada }\n");
  }
});

afterAll(async () => {
  await server.stop();
  file.remove();
  through.remove();
});

describe("a file and a server", () => {
  test.each(typed.map((each) => ({ ...each, line: each.words.join(" ") })))("$line", async (each) => {
    const path = (inside: Inside): typeof each => ({
      ...each,
      words: each.words.map((word) => (/\.(?:yaml|json)$/.test(word) ? `${inside.folder}/${word}` : word)),
    });
    const [one, other] = [await type(file, path(file), here), await type(through, path(through), there)];
    if (each.line === "workflow export hello")
      for (const inside of [file, through]) inside.write("exported.json", JSON.stringify(one.document));
    expect(one).toMatchObject({ exitCode: each.exitCode });
    expect({ ...other, document: withoutChance(other.document) }).toEqual({
      ...one,
      document: withoutChance(one.document),
    });
  });
});

describe("what a person sees", () => {
  test("names the server in what is to be typed, and shows ids whole", async () => {
    const run = await through.call("run", "ask", "--exit-on-wait", "--url", server.url);
    expect(run.exitCode).toBe(9);
    expect(run.stderr).toContain(`--url ${server.url}`);
    expect(run.stderr).toMatch(/goes on in the process that runs http:/);
    const inbox = await through.call("inbox", "--url", server.url);
    const [, step = ""] = /stepwell approve (\d+) --url http/.exec(inbox.stdout) ?? [];
    const listed = await through.call("ps");
    expect(listed.stdout).toContain(`review: stepwell approve ${step}`);
    expect(listed.stdout).toMatch(/\d{13}/);
    const answered = await through.call("approve", step.slice(0, -1));
    expect([answered.exitCode, answered.stderr]).toEqual([
      0,
      expect.stringMatching(/^approved: "review" of run \d+\n$/),
    ]);
  });

  test("completes runs, steps and workflows of the server", async () => {
    const { stdout } = await through.call("complete", "--", "workflow", "show", "");
    expect(stdout).toMatch(/^hello\t/m);
  });
});

describe("a key", () => {
  test("gives the same run for the same words, whenever they are said", async () => {
    for (const inside of [file, through]) {
      const words = ["run", `${inside.folder}/hello.yaml`, "who=Ada", "--at", "in 30 minutes", "--key", "K1", "-q"];
      const [one, other] = [await inside.call(...words), await inside.call(...words)];
      expect([one.exitCode, other.exitCode]).toEqual([0, 0]);
      expect(other.stdout).toBe(one.stdout);
    }
  });

  test("of a start may have any letters", async () => {
    for (const inside of [file, through]) {
      const words = ["run", `${inside.folder}/hello.yaml`, "who=Ada", "--key", "ключ", "-q"];
      const [one, other] = [await inside.call(...words), await inside.call(...words)];
      expect([one.exitCode, one.stdout]).toEqual([0, other.stdout]);
    }
  });
});

test("a press of a key does not wait for a server that says nothing", async () => {
  const silent = createServer(() => {});
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const { stdout } = await through.call("complete", "--", "workflow", "show", "--url", url, "");
  expect(stdout).toBe(":plain\n");
  silent.closeAllConnections();
  silent.close();
});

test("a long list is asked for in as many pieces as it takes", async () => {
  expect((await through.call("audit", "--limit", "2000")).exitCode).toBe(0);
  expect((await through.call("outcomes", "--limit", "2000")).exitCode).toBe(0);
});

describe("what cannot be done", () => {
  test.each([
    ["both places", ["list", "--url", "http://localhost:1", "--store", "a.db"], /^Both --url and --store are given/],
    ["somebody else's name", ["list", "--as", "ann"], /^On a server the token says who you are/],
    ["the file of a store", ["backup", "copy.db"], /^stepwell backup works on a store; do it on the machine where/],
    ["old runs", ["prune", "--older-than", "1d"], /^stepwell prune works on a store;/],
    ["what is here", ["validate", "a.yaml", "--url", "http://localhost:1"], /works on this machine and asks no server/],
    ["a service of one's own", ["up", "--url", "http://localhost:1"], /works on this machine and asks no server/],
    ["no address", ["list", "--url", "nowhere"], /^The URL is no address of a server/],
  ])("%s is refused with a sentence", async (_what, words, sentence) => {
    expect(await refusalOf(through, ...words)).toEqual(["USAGE", 2, expect.stringMatching(sentence)]);
  });

  test("a store that is named goes over the environment", async () => {
    expect((await through.call("list", "--store", file.store, "--as", "ann")).exitCode).toBe(0);
  });

  test("a wrong token is nobody's, and is not shown", async () => {
    const { exitCode, stdout, stderr } = await through.call("list", "--token", "swt_hush-hush");
    expect([exitCode, stdout]).toEqual([4, ""]);
    expect(stderr).toMatch(/\(NOT_LOGGED_IN\)/);
    expect(stderr).not.toContain("hush");
  });

  test("nobody answers, or somebody else", async () => {
    expect(await refusalOf(through, "list", "--url", "http://127.0.0.1:9")).toEqual([
      "SERVER_UNREACHABLE",
      5,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 does not answer: /),
    ]);
    const page = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Hello</html>");
    });
    page.listen(0, "127.0.0.1");
    await once(page, "listening");
    const address = page.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    expect(await refusalOf(through, "run", "hello", "--url", url)).toEqual([
      "SERVER_UNUSABLE",
      5,
      `${url} answers, but not as Stepwell does (status 200, text/html).`,
    ]);
    page.closeAllConnections();
    page.close();
  });
});
