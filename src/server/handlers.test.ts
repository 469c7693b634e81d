import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { describe, expect, test } from "vitest";
import type { StepwellError } from "../error.ts";
import { openEngine } from "../open-engine.ts";
import { createWorld } from "../testing/engine.ts";
import { createService } from "../testing/service.ts";

const flow = { start: { gate: {}, done: true } };

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

describe("engine.node()", () => {
  test.each([
    ["nothing", []],
    ["express.json()", [express.json()]],
    ["express.text()", [express.text({ type: "*/*" })]],
    ["express.raw()", [express.raw({ type: "*/*" })]],
  ])("takes a body behind %s", async (_, parsers) => {
    await using engine = await openEngine({ store: ":memory:" });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const { text: token } = await engine.access.tokens.create({ user: "ann", name: "t" });
    const app = express();
    for (const parser of parsers) app.use(parser);
    app.use("/flows", engine.node());
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const post = async (path: string, body?: object): Promise<Answer> => {
      const response = await fetch(`http://127.0.0.1:${port}/flows/api/workflow${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    try {
      const { status, body } = await post("", { name: "grüße", flow });
      expect([status, body["status"]]).toEqual([201, "started"]);
      expect(await post(`/${String(body["id"])}/pause`)).toMatchObject({ status: 200, body: { status: "paused" } });
    } finally {
      server.close();
      await once(server, "close");
    }
  });
});

describe("what goes wrong", () => {
  test("a body that somebody else has read, and not left there, is told with what to do", async () => {
    await using service = await createService(createWorld("memory"));
    const request = new Request("http://localhost/api/workflow", {
      method: "POST",
      body: JSON.stringify({ flow }),
      headers: { host: "localhost", "content-length": "10" },
    });
    await request.text();
    const response = await service.fetch(request);
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body["code"]]).toEqual([400, "BODY_UNREADABLE"]);
    expect(body["hint"]).toContain("engine.node()");
  });

  test("a body that breaks off is no fault of the service", async () => {
    const problems: unknown[] = [];
    const passed = Promise.withResolvers<number>();
    const onRequest = ({ status }: { readonly status: number }): void => passed.resolve(status);
    const app = { onProblem: (error: unknown) => void problems.push(error), onRequest };
    await using service = await createService(createWorld("memory"), { app });
    const { getRequestListener } = await import("@hono/node-server");
    const server = createServer(getRequestListener(service.fetch, { overrideGlobalObjects: false }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = send({ port, host: "127.0.0.1", path: "/api/workflow", method: "POST", headers: headersOf(1000) });
    client.on("error", () => {});
    client.write('{"flow":');
    await once(server, "request");
    client.destroy();
    expect(await passed.promise).toBe(400);
    expect(problems).toEqual([]);
    server.close();
    await once(server, "close");
  });

  test("what nobody has foreseen is told to the program", async () => {
    const problems: StepwellError[] = [];
    await using engine = await openEngine({ store: ":memory:", onProblem: (error) => void problems.push(error) });
    const broken = new Error("It is broken.");
    engine.health = () => Promise.reject(broken);
    const response = await engine.fetch(new Request("http://localhost/health", { headers: { "x-request-id": "r-7" } }));
    expect([response.status, await response.json()]).toMatchObject([500, { request_id: "r-7" }]);
    expect(problems.map(({ message, details, cause }) => [message, details, cause])).toEqual([
      ["Request r-7 could not be answered: It is broken.", { request_id: "r-7" }, broken],
    ]);
  });
});

function headersOf(length: number): Record<string, string> {
  return { host: "localhost", "content-type": "application/json", "content-length": String(length) };
}
