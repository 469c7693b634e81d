import { describe, expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";
import { createService } from "../testing/service.ts";
import { createApp } from "./app.ts";
import { createLog } from "./log.ts";

describe("the id of a request", () => {
  test("is on every answer, another each time, and in a problem", async () => {
    await using service = await createService(createWorld("memory"));
    const answers = [
      await service.get("/health"),
      await service.get("/api/workflow"),
      await service.get("/api/workflow/7"),
      await service.get("/nowhere"),
      await service.get("/api/events"),
      await service.get("/api/me", { host: "evil.example" }),
    ];
    const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
    expect(ids.filter((id) => /^[0-9a-f-]{36}$/.test(id))).toHaveLength(answers.length);
    expect(new Set(ids).size).toBe(answers.length);
    for (const at of [2, 3, 5]) expect(answers[at]?.body["request_id"]).toBe(ids[at]);
  });

  test("is the caller's own when it is sane, and else a new one", async () => {
    await using service = await createService(createWorld("memory"));
    const ask = async (id: string): Promise<string | null> =>
      (await service.get("/api/workflow/7", { "x-request-id": id })).headers.get("x-request-id");
    expect(await ask("trace:17.a_b-C")).toBe("trace:17.a_b-C");
    for (const odd of ["", "two words", "<script>", "-rf", "x".repeat(129)]) expect(await ask(odd)).not.toBe(odd);
  });

  test("stands in the log line of what nobody has foreseen", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({});
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const log = createLog({ level: "error", format: "text", write, now: () => 0, mask: (text) => text });
    const app = createApp(engine, { isLoopback: true, onProblem: log.problem });
    app.get("/odd", () => {
      throw new Error("Odd.");
    });
    const request = { headers: { host: "localhost", "x-request-id": "r-17" } };
    const response = await app.request("http://localhost/odd", request);
    expect(await response.json()).toMatchObject({ status: 500, code: "UNEXPECTED", request_id: "r-17" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ problem: Error: Odd\..* \(UNEXPECTED, request r-17\)$/);
  });
});
