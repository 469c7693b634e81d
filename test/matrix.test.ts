// Every route × everybody who may come: as the table says that is beside this file, which follows from the right that each
// route names. A route that is not in the table fails here; `npx vitest run test/matrix.test.ts -u` writes it down.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../src/flow/json.ts";
import { createWorld } from "../src/testing/engine.ts";
import { createService, type Service } from "../src/testing/service.ts";
import { bodyOf, fillPath, foreignName, servers, tools } from "./matrix/requests.ts";
import {
  cellOf,
  columns,
  isAboutRun,
  listRoutes,
  narrowing,
  ownKeys,
  writeTable,
  type Cell,
  type Route,
} from "./matrix/rule.ts";

let service: Service;
let routes: readonly Route[];
const tokens = new Map<string, string>();

beforeAll(async () => {
  service = await createService(createWorld("memory"), { tools, servers, app: { rate: null } });
  const { access } = service.engine;
  routes = listRoutes((await service.get("/api/openapi.json")).body);
  await access.save("ann", { keys: ["130001", "tool:*"], password: "correct horse" });
  await access.save("bob", { keys: ownKeys });
  for (const who of columns.filter((column) => column !== "nobody")) {
    const token =
      who === "own"
        ? await access.tokens.create({ user: "bob", name: who })
        : await access.tokens.create({ user: "ann", name: who, scopes: [who] });
    tokens.set(who, token.text);
  }
});

afterAll(() => service[Symbol.asyncDispose]());

type Told = { readonly status: number; readonly problem: JsonObject };

async function ask(route: Route, who: string, path: string): Promise<Told> {
  const token = tokens.get(who);
  const body = bodyOf(route);
  const response = await service.fetch(
    new Request(`http://localhost${path}`, {
      method: route.method,
      headers: {
        host: "localhost",
        // The one thing by which two answers differ that say the same.
        "x-request-id": "same",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const isProblem = (response.headers.get("content-type") ?? "").includes("problem+json");
  // What is live would never end.
  const problem = isProblem ? ((await response.json()) as JsonObject) : {};
  if (!isProblem) await response.body?.cancel();
  return { status: response.status, problem };
}

function isAs(cell: Cell, { status }: Told): boolean {
  return cell === "in" ? status < 500 && ![401, 403, 404].includes(status) : status === cell;
}

describe("W7: the authorisation matrix", () => {
  test("is the table that follows from the rights of the routes", async () => {
    expect(routes.length).toBeGreaterThan(40);
    await expect(writeTable(routes)).toMatchFileSnapshot("matrix.json");
  });

  test.each(columns)("E3-23: %s gets in where the table says so, and nowhere else", async (who) => {
    const wrong: string[] = [];
    for (const route of routes) {
      const cell = cellOf(route, who);
      const told = await ask(route, who, await fillPath(route, service.engine));
      if (!isAs(cell, told))
        wrong.push(`${route.name}: ${told.status}, not ${cell} (${JSON.stringify(told.problem["detail"])})`);
    }
    expect(wrong).toEqual([]);
  });

  test("W14: who sees their own part only sees nothing of others in it", async () => {
    const { engine } = service;
    const { id } = await engine.start({ start: { tool: "log", done: true } }, { name: foreignName });
    await engine.result(id);
    const routesOfAll = routes.filter(({ name, method }) => narrowing.has(name) && method === "GET");
    // What is live, and what is found by its id, is looked at where it is made.
    const elsewhere = new Set(["/api/events", "/api/find"]);
    const paths = routesOfAll.map(({ path }) => path).filter((path) => !elsewhere.has(path));
    const searches = [`text=${foreignName}`, `workflow=${foreignName}`, "created_by=local", "limit=1"];
    for (const path of [...paths, ...searches.map((search) => `/api/workflow?status=all&${search}`)]) {
      const textFor = async (who: string): Promise<string> => {
        const { body, list } = await service.get(path, { authorization: `Bearer ${tokens.get(who)}` });
        return JSON.stringify([body, list]);
      };
      expect([path, (await textFor("read")).includes(foreignName)]).toEqual([path, true]);
      expect([path, (await textFor("own")).includes(foreignName)]).toEqual([path, false]);
    }
  });

  test("W14: another's run or step is refused in the words of one that is not there", async () => {
    const about = routes.filter((route) => isAboutRun(route) && cellOf(route, "own") === 404);
    expect(about.length).toBeGreaterThan(10);
    for (const route of about) {
      const path = await fillPath(route, service.engine);
      const [, id = ""] = /\/(\d{10,})/.exec(path) ?? [];
      const absent = "1234567890123";
      const [foreign, none] = [await ask(route, "own", path), await ask(route, "own", path.replace(id, absent))];
      expect(JSON.stringify(none.problem).replaceAll(absent, id)).toBe(JSON.stringify(foreign.problem));
    }
  });
});
