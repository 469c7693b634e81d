import { describe, expect, test } from "vitest";
import { exitCodeOf } from "./supervise.ts";

const killed = { code: null, signal: "SIGKILL" } as const;

describe("whoever watches over a service", () => {
  test("starts another when the plug was pulled", () => {
    expect(exitCodeOf({ ...killed, isPulled: true }, null)).toBeNull();
  });

  test("ends as stopped, not as killed, when the plug is pulled in the moment of Ctrl+C or SIGTERM", () => {
    expect(exitCodeOf({ ...killed, isPulled: true }, "SIGINT")).toBe(130);
    expect(exitCodeOf({ ...killed, isPulled: true }, "SIGTERM")).toBe(143);
  });

  test("ends as the service has in all else", () => {
    expect(exitCodeOf({ ...killed, isPulled: false }, null)).toBe("SIGKILL");
    expect(exitCodeOf({ ...killed, isPulled: false }, "SIGINT")).toBe("SIGKILL");
    expect(exitCodeOf({ code: 0, signal: null, isPulled: false }, "SIGTERM")).toBe(0);
    expect(exitCodeOf({ code: 2, signal: null, isPulled: false }, null)).toBe(2);
    expect(exitCodeOf({ code: null, signal: null, isPulled: false }, null)).toBe(1);
  });
});
