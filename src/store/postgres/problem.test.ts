import { describe, expect, test } from "vitest";
import { StepwellError } from "../../error.ts";
import { createTestDatabase } from "../../testing/postgres.ts";
import { openPostgres } from "./open.ts";
import { sqlStateOf, toStoreError } from "./problem.ts";

function failure(code: string, message = "it said so"): Error {
  return Object.assign(new Error(message), { code });
}

describe("what goes wrong with a server", () => {
  test.each([
    ["28P01", "STORE_UNREACHABLE", "the user and the password"],
    ["3D000", "STORE_UNREACHABLE", "create the database"],
    ["53300", "STORE_UNREACHABLE", "max_connections"],
    ["57P01", "STORE_UNREACHABLE", "nothing was lost"],
    ["57014", "STORE_UNREACHABLE", "it took too long"],
    ["53100", "STORE_FULL", "free some space"],
    ["25006", "STORE_READ_ONLY", "standby"],
    ["42501", "STORE_READ_ONLY", "grant this user the right"],
    ["40001", "STORE_BUSY", "try again"],
    ["55P03", "STORE_BUSY", "another session holds it"],
    ["XX001", "STORE_CORRUPT", "keep a copy"],
    ["42P01", "STORE_UNREADABLE", "a table is gone"],
    ["42601", "STORE_UNREADABLE", "please report it"],
    ["ECONNREFUSED", "STORE_UNREACHABLE", "nothing was lost"],
    ["EPIPE", "STORE_UNREACHABLE", "nothing was lost"],
  ] as const)("%s is %s, with a word of what to do", (state, code, advice) => {
    const problem = toStoreError(failure(state), "postgres://ann@db/app");
    expect(problem.code).toBe(code);
    expect(problem.message).toMatch(/^postgres:\/\/ann@db\/app (?:cannot be reached|refused) \(it said so\); .*\.$/);
    expect(problem.message).toContain(advice);
  });

  test("is found behind what ended the session", () => {
    const lost = new Error("the session is over", { cause: failure("57P01") });
    expect(sqlStateOf(lost)).toBe("57P01");
  });

  test("is said in the words of all addresses that were tried", () => {
    const all = new AggregateError([
      failure("ECONNREFUSED", "::1 refused"),
      failure("ECONNREFUSED", "127.0.0.1 refused"),
    ]);
    expect(toStoreError(all, "db").message).toContain("(::1 refused, 127.0.0.1 refused)");
  });

  test("is not taken for what goes wrong with ourselves", () => {
    expect(toStoreError(new TypeError("x is not a function"), "db").code).toBe("STORE_UNREADABLE");
    const own = new StepwellError("STORE_NEWER", "It is newer.");
    expect(toStoreError(own, "db")).toBe(own);
  });
});

describe("an address", () => {
  test("where nobody answers is said to be so, without its password", async () => {
    const refusal = await openPostgres("postgres://ann:secret@127.0.0.1:1/app").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(String(refusal)).toMatch(
      /postgres:\/\/ann@127\.0\.0\.1:1\/app cannot be reached.*check the host and the port/,
    );
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("secret");
  });

  test("of a database that is not there names what to do", async () => {
    await using database = await createTestDatabase();
    const url = new URL(database.url);
    url.pathname = "/nowhere_at_all";
    await expect(openPostgres(url.href)).rejects.toThrow(/"nowhere_at_all" does not exist\); create the database/);
  });
});
