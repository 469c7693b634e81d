// What holds at every door, whatever is behind it: the routes are read from the router itself, so that one that is added
// is looked at too.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../src/server/app.ts";
import { createWorld, type OpenedEngine, type World } from "../src/testing/engine.ts";

type Door = { readonly method: string; readonly path: string };
type App = ReturnType<typeof createApp>;

let world: World;
let app: App;
let doors: readonly Door[];
let cookie: string;
let store: OpenedEngine["store"];

beforeAll(async () => {
  world = createWorld("memory");
  const opened = await world.open();
  const { engine } = opened;
  ({ store } = opened);
  app = createApp(engine, { isLoopback: true, hosts: ["flows.example.com"], rate: null });
  await engine.access.save("ann", { keys: ["130001", "tool:*"], password: "correct horse" });
  cookie = `stepwell_session=${(await engine.access.sessions.open("ann", "correct horse")).text}`;
  const found = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+(?:\{[^}]*\})?/g, "1") }));
  doors = [...found, { method: "GET", path: "/nothing" }, { method: "POST", path: "/api/nothing" }];
});

afterAll(() => world[Symbol.asyncDispose]());

type Told = { readonly status: number; readonly code: unknown; readonly headers: Headers };

async function knock({ method, path }: Door, headers: Readonly<Record<string, string>>): Promise<Told> {
  const response = await app.request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } });
  const isProblem = (response.headers.get("content-type") ?? "").includes("problem+json");
  const details = isProblem ? ((await response.json()) as { details?: { code?: unknown } }).details : undefined;
  if (!isProblem) await response.body?.cancel();
  return { status: response.status, code: details?.code, headers: response.headers };
}

/** Doors at which something else happens than expected. */
async function findOthers(isMeant: (door: Door) => boolean, fits: (door: Door) => Promise<boolean>): Promise<unknown> {
  const others: string[] = [];
  for (const door of doors.filter(isMeant)) if (!(await fits(door))) others.push(`${door.method} ${door.path}`);
  return others;
}

const every = (): boolean => true;

describe("at every door", () => {
  test("there is something to look at", () => {
    expect(doors.length).toBeGreaterThan(40);
  });

  test.each(["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "evil.example:80", "169.254.169.254", ""])(
    'W3: nobody is let in who calls us "%s"',
    async (host) => {
      const refused = async (door: Door): Promise<boolean> => {
        const { status, code } = await knock(door, { host, cookie, "x-stepwell": "1" });
        return status === 403 && code === "foreign_host";
      };
      expect(await findOthers(every, refused)).toEqual([]);
    },
  );

  test.each(["localhost:7700", "127.0.0.1", "[::1]:7700", "LOCALHOST", "flows.example.com:443"])(
    'W3: who calls us "%s" is heard',
    async (host) => {
      expect((await knock({ method: "GET", path: "/api/me" }, { host, cookie })).status).toBe(200);
    },
  );

  test.each<[string, Readonly<Record<string, string>>]>([
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://localhost:1234" }],
    ["a sandbox or a file", { origin: "null" }],
    ["no site at all", { origin: "nonsense" }],
    ["another site, without an origin", { "sec-fetch-site": "cross-site" }],
    ["another name of our site", { "sec-fetch-site": "same-site" }],
  ])("W2: a page of %s is not answered", async (_whose, headers) => {
    const refused = async (door: Door): Promise<boolean> => {
      const { status, code } = await knock(door, { ...headers, cookie, "x-stepwell": "1" });
      return status === 403 && code === "foreign_origin";
    };
    expect(await findOthers(every, refused)).toEqual([]);
  });

  test("W2: our own page is answered, and what somebody types into a browser", async () => {
    for (const headers of [
      { origin: "http://localhost", "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
    ])
      expect((await knock({ method: "GET", path: "/api/me" }, { ...headers, cookie })).status).toBe(200);
  });

  test("W2: nothing is changed by looking", async () => {
    await world.settle();
    const written = store.batches.length;
    for (const door of doors.filter(({ method }) => method === "GET")) await knock(door, { cookie });
    await world.settle();
    expect(store.batches).toHaveLength(written);
  });

  test("W2: a cookie alone changes nothing", async () => {
    const isChange = ({ method, path }: Door): boolean =>
      method !== "GET" && path.startsWith("/api/") && path !== "/api/login";
    const refused = async (door: Door): Promise<boolean> => {
      const { status, code } = await knock(door, { cookie });
      return status === 403 && code === "unmarked";
    };
    expect(await findOthers(isChange, refused)).toEqual([]);
    expect(
      await findOthers(isChange, async (door) => (await knock(door, { cookie, "x-stepwell": "0" })).status === 403),
    ).toEqual([]);
  });

  test("W16: nothing is framed, guessed or kept, whether it is an answer or a problem", async () => {
    const expected: Readonly<Record<string, RegExp>> = {
      "x-content-type-options": /^nosniff$/,
      "x-frame-options": /^DENY$/,
      "referrer-policy": /^no-referrer$/,
      "cross-origin-resource-policy": /^same-origin$/,
      "content-security-policy": /^default-src '(?:none|self)'.*frame-ancestors 'none'/,
      "cache-control": /no-store/,
    };
    const isGuarded = (headers: Headers): boolean =>
      Object.entries(expected).every(([name, value]) => value.test(headers.get(name) ?? "")) &&
      headers.get("access-control-allow-origin") === null;
    for (const headers of [
      { cookie },
      {},
      { host: "evil.example" },
      { origin: "https://evil.example" },
      { cookie, "x-stepwell": "1" },
    ])
      expect(await findOthers(every, async (door) => isGuarded((await knock(door, headers)).headers))).toEqual([]);
  });
});
