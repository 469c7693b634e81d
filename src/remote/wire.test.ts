import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../engine/clock.ts";
import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import { parseServerUrl } from "./address.ts";
import { createRemote } from "./remote-engine.ts";
import { Wire } from "./wire.ts";

type Said = { readonly status: number; readonly type?: string; readonly body: string; readonly headers?: object };
type Heard = { readonly line: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A server that answers as the test says, one after the other; `lost` hears the request and hangs up, `silent` does not. */
let script: (Said | "lost" | "silent")[] = [];
let heard: Heard[] = [];
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => {
    body += piece;
  });
  request.on("end", () => {
    heard.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    const said = script.shift() ?? problem(500, "UNEXPECTED");
    if (said === "silent") return;
    if (said === "lost") return void request.socket.destroy();
    response.writeHead(said.status, { "content-type": said.type ?? "application/json", ...said.headers });
    response.end(said.body);
  });
});
let url = "";

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  script = [];
  heard = [];
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const token = "swk_very_secret";

function open(patienceMs = 5000): Wire {
  return new Wire({ address: parseServerUrl(`${url}/flows/`), token, patienceMs, clock: systemClock });
}

function ok(body: Json): Said {
  return { status: 200, body: JSON.stringify(body) };
}

function problem(status: number, code: string, more: object = {}): Said {
  const body = JSON.stringify({ status, code, detail: "It is so.", ...more });
  return { status, type: "application/problem+json", body };
}

async function refusalOf(asked: Promise<unknown>): Promise<StepwellError> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StepwellError)) throw new Error(`It was not refused: ${String(error)}`);
  expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain(token);
  return error;
}

const change = { method: "POST", path: "api/workflow", body: { flow: "hello" } } as const;

describe("a request", () => {
  test("goes below the path where the server is mounted, with the token", async () => {
    script = [ok({ a: 1 })];
    expect((await open().read("api/workflow", { limit: 2, text: "a b&c", cursor: undefined })).body).toEqual({ a: 1 });
    expect(heard.map(({ line, headers }) => [line, headers.authorization])).toEqual([
      ["GET /flows/api/workflow?limit=2&text=a+b%26c", `Bearer ${token}`],
    ]);
  });

  test("whose answer was lost is sent again under the same key, each change under one of its own", async () => {
    script = ["lost", problem(503, "ENGINE_STOPPED"), ok(1), ok(2)];
    const wire = open();
    expect([(await wire.send(change)).body, (await wire.send(change)).body]).toEqual([1, 2]);
    const keys = heard.map(({ headers }) => headers["idempotency-key"]);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(new Set(keys).size).toBe(2);
  });

  test("of which twice is not the same as once is not sent again when its answer was lost", async () => {
    script = ["lost"];
    const refused = await refusalOf(open().send({ ...change, repeat: "once" }));
    expect([refused.code, heard.length]).toEqual(["OUTCOME_UNKNOWN", 1]);
    script = [{ ...problem(429, "TOO_MANY_REQUESTS"), headers: { "retry-after": "0" } }, ok(3)];
    expect((await open().send({ ...change, repeat: "once" })).body).toBe(3);
  });

  test("is given up when the time is up", async () => {
    script = ["lost", "lost", "lost", "lost", "lost"];
    const refused = await refusalOf(open(250).read("api/me"));
    expect(refused.code).toBe("SERVER_UNREACHABLE");
    expect(refused.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/flows does not answer: /);
  });

  test("that is taken and not answered is given up when the time is up, too", async () => {
    script = ["silent", "silent", "silent"];
    const refused = await refusalOf(open(100).read("api/me"));
    expect([refused.code, heard.length]).toEqual(["SERVER_UNREACHABLE", 1]);
  });

  test("has a key that a header can hold; that of a start may be any", async () => {
    expect((await refusalOf(open().send({ ...change, key: "ключ" }))).code).toBe("INPUT_INVALID");
    expect(heard).toEqual([]);
    script = [ok({ id: 7, uid: "u", status: "started", scheduled_at: null, warnings: [] })];
    await using client = createRemote({ url, patienceMs: 5000 });
    expect((await client.start("hello", { idempotencyKey: "ключ" })).id).toBe(7);
    expect(JSON.parse(heard[0]?.body ?? "")).toEqual({ flow: "hello", idempotency_key: "ключ" });
  });
});

describe("what a server refuses", () => {
  test("is thrown as on a file: code, sentence, hint and details", async () => {
    script = [problem(404, "RUN_NOT_FOUND", { hint: "Look.", details: { a: 1 } })];
    const { code, message, hint, details } = await refusalOf(open().read("api/workflow/7"));
    expect({ code, message, hint, details }).toEqual({
      code: "RUN_NOT_FOUND",
      message: "It is so.",
      hint: "Look.",
      details: { a: 1 },
    });
  });

  test.each<{ what: string; said: Said; code: string; sentence: RegExp }>([
    {
      what: "a page",
      said: { status: 200, type: "text/html; charset=utf-8", body: "<html>" },
      code: "SERVER_UNUSABLE",
      sentence: /answers, but not as Stepwell does \(status 200, text\/html\)\.$/,
    },
    {
      what: "a page that is not there",
      said: { status: 404, type: "text/html", body: "<html>" },
      code: "SERVER_UNUSABLE",
      sentence: /\(status 404, text\/html\)\.$/,
    },
    {
      what: "another place",
      said: { status: 302, body: "", headers: { location: "https://elsewhere.example/" } },
      code: "SERVER_UNUSABLE",
      sentence: /\(it points to https:\/\/elsewhere\.example\/\)\.$/,
    },
    {
      what: "a failure that nobody has foreseen",
      said: problem(500, "UNEXPECTED"),
      code: "SERVER_UNUSABLE",
      sentence: /failed: It is so\.$/,
    },
  ])("$what is told in a sentence", async ({ said, code, sentence }) => {
    script = [said];
    const refused = await refusalOf(open().read("api/me"));
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(sentence);
    expect(heard.length).toBe(1);
  });

  test("a proxy whose server is away is asked again", async () => {
    script = [{ status: 502, type: "text/html", body: "<html>" }, ok(1)];
    expect((await open().read("api/me")).body).toBe(1);
  });
});

describe("a token", () => {
  const broken = "swk_hush\nhush";

  test("that is none is refused, and not shown", () => {
    for (const text of [broken, "", "swk_ключ"]) {
      const create = (): unknown => createRemote({ url, token: text, patienceMs: 5000 });
      expect(create).toThrow(/^The token is none/);
      expect(create).not.toThrow(/hush|ключ/);
    }
  });

  test("does not appear in what fetch says of it", async () => {
    const wire = new Wire({ address: parseServerUrl(url), token: broken, patienceMs: 5000, clock: systemClock });
    const refused = await refusalOf(wire.read("api/me"));
    expect(refused.code).toBe("SERVER_UNREACHABLE");
    expect(inspect(refused)).not.toContain("hush");
  });
});

describe("what a server tells", () => {
  test("how it stands is an answer also when it stands badly, and is asked for once", async () => {
    const told = { status: "degraded", reasons: ["The disk is full."], now: 1 };
    script = [{ status: 503, body: JSON.stringify(told) }];
    await using client = createRemote({ url, patienceMs: 5000 });
    expect(await client.health()).toMatchObject({ status: "degraded", reasons: ["The disk is full."] });
    expect(heard.length).toBe(1);
    script = [problem(503, "ENGINE_STOPPED"), ok({ ...told, status: "ok" })];
    expect((await client.health()).status).toBe("ok");
  });

  test("the server of a tool is kept", async () => {
    const tool = { name: "a", description: null, effect: "read", input: null, output: null, outcomes: [] };
    script = [
      ok([
        { ...tool, server: "files" },
        { ...tool, server: null },
      ]),
    ];
    await using client = createRemote({ url, patienceMs: 5000 });
    expect((await client.tools.list()).map(({ server: from }) => from)).toEqual(["files", undefined]);
  });

  test("a long audit comes page by page", async () => {
    const entry = { at: 1, user: "ann", via: null, source: "cli", verb: "run.start", subject: "1", details: null };
    const page = (from: number, count: number): Said =>
      ok(Array.from({ length: count }, (_, index) => ({ ...entry, no: from - index })));
    script = [page(1200, 1000), page(200, 200)];
    await using client = createRemote({ url, patienceMs: 5000 });
    expect((await client.access.audit({ limitMax: 2000 })).map(({ no }) => no)).toHaveLength(1200);
    expect(heard.map(({ line }) => line)).toEqual([
      "GET /api/audit?limit=1000",
      "GET /api/audit?cursor=201&limit=1000",
    ]);
  });
});

describe("a client that is stopped", () => {
  test("waits for nothing any more", async () => {
    script = [{ ...problem(503, "OVERLOADED"), headers: { "retry-after": "4" } }];
    const wire = open();
    const asked = refusalOf(wire.read("api/me"));
    while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
    wire.stop();
    expect((await asked).code).toBe("ENGINE_STOPPED");
  });
});

describe("a URL", () => {
  test.each(["nowhere", "ftp://example.com", "http://ann:hush-hush@example.com"])("%s is refused", (text) => {
    const refuse = (): unknown => parseServerUrl(text);
    expect(refuse).toThrow(/no address of a server|no place for a user or a password/);
    expect(refuse).not.toThrow(/hush-hush/);
  });

  test("has no query and no slash at its end", () => {
    expect(parseServerUrl("https://example.com/flows/?a=1").url).toBe("https://example.com/flows");
  });
});
