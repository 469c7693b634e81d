import { describe, expect, test } from "vitest";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Answer, type Service } from "../../testing/service.ts";

const password = "correct horse";
const marked = { "x-stepwell": "1" };

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Ann is known and may do everything; she has logged in. */
async function openWithAnn(): Promise<{ service: Service; cookie: string; login: Answer }> {
  const service = await createService(createWorld("memory"), { tools: { log: () => "logged" } });
  await service.engine.access.save("ann", { keys: ["130001", "tool:*"], password });
  const login = await service.post("/api/login", { user: "ann", password });
  const [cookie = ""] = (login.headers.get("set-cookie") ?? "").split(";");
  return { service, cookie, login };
}

describe("commands to copy", () => {
  const storeFlag = "--store '/data/my own.db'";

  test("name the store for the owner of the machine and for admins, and to nobody else", async () => {
    await using service = await createService(createWorld("memory"), {
      app: { program: "npm start --", storeFlag },
    });
    const programFor = async (headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
      (await service.get("/api/me", headers)).body["program"];
    expect(await programFor()).toBe(`npm start -- ${storeFlag}`);
    await service.engine.access.save("ann", { keys: ["130001"], password });
    await service.engine.access.save("bob", {
      keys: ["130001.read"],
      password,
    });
    const logIn = async (user: string): Promise<string> => {
      const { headers } = await service.post("/api/login", { user, password });
      return (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    };
    expect(await programFor({ cookie: await logIn("ann") })).toBe(`npm start -- ${storeFlag}`);
    expect(await programFor({ cookie: await logIn("bob") })).toBe("npm start --");
  });
});

describe("a login", () => {
  test("E3-30: sets a cookie that no script and no other site gets, and lets its user in", async () => {
    const { service, cookie, login } = await openWithAnn();
    await using _ = service;
    expect([login.status, login.body["user"]]).toEqual([200, "ann"]);
    expect(login.headers.get("set-cookie")).toMatch(
      /^stepwell_session=sws_[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const rights = ["read", "start", "answer", "signal", "cancel", "operate", "save", "secrets", "admin"];
    expect((await service.get("/api/me", { cookie })).body).toEqual({
      user: "ann",
      how: "session",
      rights,
      program: "stepwell",
    });
    expect((await service.get("/api/me")).status).toBe(401);
    expect((await service.get("/api/me", { cookie: "stepwell_session=sws_nothing" })).status).toBe(401);
  });

  test("by https is kept to https", async () => {
    const { service } = await openWithAnn();
    await using _ = service;
    const answer = await service.fetch(
      new Request("https://localhost/api/login", {
        method: "POST",
        headers: { host: "localhost" },
        body: JSON.stringify({ user: "ann", password }),
      }),
    );
    expect(answer.headers.get("set-cookie")).toContain("; Secure");
  });

  test("W2: what a cookie changes wants our own header as well, and its end does too", async () => {
    const { service, cookie } = await openWithAnn();
    await using _ = service;
    const flow = { start: { tool: "log", done: true } };
    const forged = await service.post("/api/workflow", { flow }, { cookie });
    expect([forged.status, forged.body["code"], forged.body["details"]]).toEqual([
      403,
      "NOT_ALLOWED",
      { code: "unmarked" },
    ]);
    const started = await service.post("/api/workflow", { flow }, { cookie, ...marked });
    expect(started.status).toBe(201);
    expect((await service.get(`/api/workflow/${Number(started.body["id"])}`, { cookie })).body).toMatchObject({
      created_by: "ann",
      created_via: "session",
    });
    expect((await service.post("/api/logout", undefined, { cookie })).status).toBe(403);
    const out = await service.post("/api/logout", undefined, { cookie, ...marked });
    expect([out.status, out.headers.get("set-cookie")]).toEqual([200, "stepwell_session=; Max-Age=0; Path=/"]);
    expect((await service.get("/api/me", { cookie })).status).toBe(401);
    expect((await service.post("/api/logout")).status).toBe(200);
  });

  test("is refused alike whoever is unknown, and after five wrong ones without a look", async () => {
    const { service } = await openWithAnn();
    await using _ = service;
    const guess = (user: string, word: string): Promise<Answer> =>
      service.post("/api/login", { user, password: word }, { "x-request-id": "same" });
    const [unknown, wrong] = [await guess("eve", "wrong horse"), await guess("ann", "wrong horse")];
    expect([unknown.status, unknown.body]).toEqual([401, wrong.body]);
    const more = await Promise.all(Array.from({ length: 10 }, () => guess("Ann", "wrong horse")));
    expect(more.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      401,
      401,
      401,
      ...Array.from({ length: 7 }, () => 429),
    ]);
    const right = await guess("ann", password);
    expect([right.status, right.body["code"]]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(800);
  });
});

describe("users", () => {
  test("are made, changed and taken away, and their passwords are never told", async () => {
    const { service, cookie } = await openWithAnn();
    await using _ = service;
    const headers = { cookie, ...marked };
    const bob = { name: "bob", keys: ["130001.read"], groups: ["staff"], password: "another horse" };
    const made = await service.post("/api/users", bob, headers);
    expect([made.status, made.body]).toEqual([201, { id: "user:bob", groups: ["staff"], keys: ["130001.read"] }]);
    expect((await service.post("/api/users", { name: "group:staff" }, headers)).status).toBe(201);
    expect((await service.post("/api/users/bob/grant", { key: "130001.start" }, headers)).body["keys"]).toEqual([
      "130001.read",
      "130001.start",
    ]);
    expect((await service.post("/api/users/bob/revoke", { key: "130001.read" }, headers)).body["keys"]).toEqual([
      "130001.start",
    ]);
    expect((await service.post("/api/login", { user: "bob", password: "another horse" })).status).toBe(200);
    expect((await service.post("/api/users/bob/password", { password: null }, headers)).status).toBe(200);
    expect((await service.post("/api/login", { user: "bob", password: "another horse" })).status).toBe(401);
    expect((await service.delete("/api/users/group:staff", headers)).status).toBe(200);
    const { list } = await service.get("/api/users", { cookie });
    expect(list).toEqual([
      { id: "user:ann", groups: [], keys: ["130001", "tool:*"] },
      { id: "user:bob", groups: [], keys: ["130001.start"] },
      { id: "user:local", groups: [], keys: ["130001", "tool:*"] },
    ]);
    expect((await service.delete("/api/users/bob", headers)).status).toBe(200);
    expect((await service.delete("/api/users/bob", headers)).body["code"]).toBe("PRINCIPAL_NOT_FOUND");
  });

  test("the first of them is made by the owner of the machine, who logs in as that one from then on", async () => {
    await using service = await createService(createWorld("memory"));
    expect((await service.get("/api/me")).body["how"]).toBe("local");
    const made = await service.post("/api/users", { name: "ann", keys: ["130001"], password });
    expect(made.status).toBe(201);
    expect((await service.get("/api/me")).status).toBe(401);
    expect((await service.post("/api/login", { user: "ann", password })).status).toBe(200);
  });
});

test("E3-30: a token's text is told once; with it comes who it was made for, until it is revoked", async () => {
  const { service, cookie } = await openWithAnn();
  await using _ = service;
  const headers = { cookie, ...marked };
  const { status, body } = await service.post(
    "/api/tokens",
    { user: "ann", name: "robot", scopes: ["approve"] },
    headers,
  );
  expect([status, body["scopes"]]).toEqual([201, ["130001.read", "130001.answer"]]);
  const authorization = `Bearer ${textOf(body["text"])}`;
  const me = { user: "ann", how: "token", rights: ["read", "answer"], program: "stepwell" };
  // A token counts before a cookie, and needs no header beside it.
  expect((await service.get("/api/me", { authorization, cookie })).body).toEqual(me);
  expect((await service.post("/api/workflow/emit", { event: "e" }, { authorization })).status).toBe(403);
  const { list } = await service.get("/api/tokens", { cookie });
  expect(list).toMatchObject([{ id: body["id"], name: "robot", revoked_at: null }]);
  expect(JSON.stringify(list)).not.toMatch(/swk_|hash|text/);
  expect((await service.delete(`/api/tokens/${textOf(body["id"])}`, headers)).status).toBe(200);
  expect((await service.get("/api/me", { authorization })).status).toBe(401);
  const past = { user: "ann", name: "late", expires_at: "yesterday at 9am" };
  expect((await service.post("/api/tokens", past, headers)).status).toBe(422);
});

test("W7: a saved workflow never lends its author's rights to who runs it", async () => {
  const { service, cookie } = await openWithAnn();
  await using _ = service;
  const flow = { start: { tool: "log", done: true } };
  await service.post("/api/workflow/templates", { name: "shared", flow_json: flow }, { cookie, ...marked });
  await service.engine.access.save("bob", { keys: ["130001.read", "130001.start"] });
  const { text } = await service.engine.access.tokens.create({ user: "bob", name: "his" });
  const { body } = await service.post("/api/workflow", { name: "shared" }, { authorization: `Bearer ${text}` });
  const { status, error } = await service.engine.result(Number(body["id"]));
  expect([status, error?.code]).toEqual(["failed", "not_allowed"]);
  expect(error?.message).toContain('"bob", who started the run, may not call the tool "log"');
});

test("a secret goes in and does not come out", async () => {
  const { service, cookie } = await openWithAnn();
  await using _ = service;
  const headers = { cookie, ...marked };
  const set = await service.post("/api/secrets", { name: "API_KEY", value: "s3cr3t-value" }, headers);
  expect([set.status, set.body]).toEqual([201, { name: "API_KEY" }]);
  const { list } = await service.get("/api/secrets", { cookie });
  expect(list).toEqual([{ name: "API_KEY", created_at: expect.any(Number), updated_at: expect.any(Number) }]);
  expect((await service.delete("/api/secrets/API_KEY", headers)).status).toBe(200);
  expect((await service.delete("/api/secrets/API_KEY", headers)).body["code"]).toBe("SECRET_NOT_FOUND");
});

describe("too many requests", () => {
  test("W11: each token has its own measure, and who guesses tokens has that of the address", async () => {
    let now = 0;
    await using service = await createService(createWorld("memory"), {
      app: { rate: { perSecond: 1, burst: 3 }, now: () => now },
    });
    await service.engine.access.save("ann", { keys: ["130001.read"] });
    const tokens = await Promise.all(
      ["one", "two"].map((name) => service.engine.access.tokens.create({ user: "ann", name })),
    );
    const [one = "", two = ""] = tokens.map(({ text }) => `Bearer ${text}`);
    const ask = async (authorization: string, more = {}): Promise<number> =>
      (await service.get("/api/me", { authorization, ...more })).status;
    const many = async (authorization: string): Promise<readonly number[]> => [
      await ask(authorization),
      await ask(authorization),
      await ask(authorization),
      await ask(authorization, { "x-forwarded-for": "203.0.113.7" }),
    ];
    expect(await many(one)).toEqual([200, 200, 200, 429]);
    expect(await many(two)).toEqual([200, 200, 200, 429]);
    const refused = await service.get("/api/me", { authorization: one });
    expect([refused.body["code"], refused.headers.get("retry-after")]).toEqual(["TOO_MANY_REQUESTS", "1"]);
    expect(await many("Bearer swk_guess")).toEqual([401, 401, 401, 429]);
    now = 1000;
    expect([await ask(one), await ask(one)]).toEqual([200, 429]);
    expect(await ask("Bearer swk_guess")).toBe(401);
  });

  test("are no matter for the owner of the machine", async () => {
    await using service = await createService(createWorld("memory"), { app: { rate: { perSecond: 1, burst: 1 } } });
    for (let count = 0; count < 5; count++) expect((await service.get("/api/me")).status).toBe(200);
  });
});
