import { sep } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveServer, type ResolvedServer, type Surroundings } from "./expand.ts";
import { parseServersFile } from "./parse-servers.ts";
import type { Json } from "../../flow/json.ts";

const files: Readonly<Record<string, string>> = { "/project/.env": "A=from file\nB='two words'\n# no\nC=3" };

const around: Surroundings = {
  environment: { TOKEN: "t0ken-value", EMPTY: "", STEPWELL_INPUT_API_KEY: "given-key", HOME_DIR: "${TOKEN}" },
  findSecret: (name) => (name === "OTHER_KEY" ? "s3cret-value" : name === "plain" ? "plain-value" : undefined),
  home: "/users/ann",
  readFile: async (path) => files[path] ?? null,
};

/** Of a file whose one server is this. */
async function resolve(server: Json, inputs: Json = []): Promise<ResolvedServer> {
  const [parsed] = parseServersFile({ servers: { one: server }, inputs }, { file: "x", folder: "/project" }).servers;
  if (parsed === undefined) throw new Error("it is refused");
  return resolveServer(parsed, around);
}

/** What an argument becomes. */
async function fill(text: string, inputs: Json = []): Promise<string> {
  const resolved = await resolve({ command: "x", args: [text] }, inputs);
  if (!resolved.ok) return resolved.problem;
  return resolved.target.kind === "stdio" ? (resolved.target.args[0] ?? "") : "";
}

describe("what stands in for something else", () => {
  test.each([
    ["${TOKEN}", "t0ken-value"],
    ["a ${TOKEN} b ${TOKEN}", "a t0ken-value b t0ken-value"],
    ["${env:TOKEN}", "t0ken-value"],
    ["${TOKEN:-x}", "t0ken-value"],
    ["${NOPE:-x y}", "x y"],
    ["${NOPE:-}", ""],
    ["${env:NOPE:-x}", "x"],
    ["${EMPTY}", ""],
    ["${EMPTY:-x}", "x"],
    ["${input:api-key}", "given-key"],
    ["${input:other-key}", "s3cret-value"],
    ["${input:plain}", "plain-value"],
    ["${userHome}/a", "/users/ann/a"],
    ["${workspaceFolder}", "/project"],
    ["${workspaceFolderBasename}", "project"],
    ["a${pathSeparator}b${/}c", `a${sep}b${sep}c`],
    // What was filled in is not looked at again.
    ["${HOME_DIR}", "${TOKEN}"],
    ["${HOME_DIR:-x} ${NOPE:-{TOKEN}}", "${TOKEN} {TOKEN}"],
    ["$TOKEN {TOKEN} $", "$TOKEN {TOKEN} $"],
    ['${NOPE:-{"a":{"b":1}}}', '{"a":{"b":1}}'],
    ["Bearer ${NOPE:-${TOKEN}}", "Bearer t0ken-value"],
    ["${NOPE:-a ${NEITHER:-${TOKEN:-b}} c}", "a t0ken-value c"],
    // What is not needed need not be there.
    ["${TOKEN:-${NOPE}}", "t0ken-value"],
  ])("%s is filled in", async (text, value) => {
    expect(await fill(text)).toBe(value);
  });

  test("is what an input falls back on", async () => {
    expect(await fill("${input:who}", [{ id: "who", default: "ann" }])).toBe("ann");
    expect(await fill("${input:who}", [{ id: "who" }])).toContain("STEPWELL_INPUT_WHO");
  });
});

describe("what cannot be filled in refuses the server", () => {
  test.each([
    ["${NOPE}", "${NOPE} stands in args[0], and NOPE is not set."],
    ["${env:NOPE}", "${env:NOPE} stands in args[0], and NOPE is not set."],
    ["${input:my key}", "stepwell secret set MY_KEY."],
    ["${command:ask}", "this is none of the placeholders that are known here."],
    ["${a-b}", "this is none of the placeholders"],
    ["${}", "this is none of the placeholders"],
    ["${NOPE} ${NEITHER}", "(and 1 more like it)"],
    ["${NOPE:-${NEITHER}}", "${NEITHER} stands in args[0], and NEITHER is not set."],
    ["${NOPE", "args[0] has a ${ without its }"],
    ["$TOKEN ${ {TOKEN}", "args[0] has a ${ without its }"],
    ["${TOKEN} ${TOKEN:-${TOKEN}", "args[0] has a ${ without its }"],
    ["${${TOKEN}}", "this is none of the placeholders"],
    ["${input:a{b}}", "nobody has said it"],
    ["${A:-".repeat(5000) + "x" + "}".repeat(5000), "args[0] has more than 10 placeholders in one another"],
  ])("%s", async (text, problem) => {
    expect(await fill(text)).toContain(problem);
  });

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "and ${%s} is no variable of the environment, whatever else that has",
    async (name) => {
      const [server] = parseServersFile(
        { servers: { one: { command: "x", args: [`\${${name}}`] } } },
        { file: "x", folder: "/project" },
      ).servers;
      if (server === undefined) throw new Error("it is refused");
      const resolved = await resolveServer(server, { ...around, environment: process.env });
      expect(resolved).toMatchObject({ ok: false, problem: expect.stringContaining(`${name} is not set`) });
    },
  );

  test("and no value is told", async () => {
    const resolved = await resolve({ command: "${TOKEN}", args: ["${input:other-key}", "${NOPE}"] });
    expect(resolved).toEqual({ ok: false, problem: "${NOPE} stands in args[1], and NOPE is not set." });
  });

  test.each([
    [{ url: "ftp://${TOKEN}" }, "Its url is no address"],
    [{ url: "${TOKEN}" }, "Its url is no address"],
    [{ url: "https://ann:${TOKEN}@x/" }, "Its url holds a user or a password"],
    [{ url: "https://x/", headers: { "a b": "c" } }, 'The header "a b" holds'],
    [{ url: "https://x/", headers: { a: "c\nd" } }, 'The header "a" holds'],
    [{ command: "x", envFile: "none" }, "Its envFile cannot be read"],
  ])("%j, once it is filled in", async (server, problem) => {
    const resolved = await resolve(server);
    expect(resolved).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    expect(JSON.stringify(resolved)).not.toContain("t0ken-value");
  });
});

describe("a program", () => {
  test("runs in the project, with the variables of its file below its own", async () => {
    expect(await resolve({ command: "x", envFile: "${workspaceFolder}/.env", env: { C: "${TOKEN}" } })).toEqual({
      ok: true,
      target: {
        kind: "stdio",
        command: "x",
        args: [],
        env: { A: "from file", B: "two words", C: "t0ken-value" },
        cwd: "/project",
      },
      filled: ["from file", "two words", "t0ken-value"],
      secrets: ["t0ken-value"],
    });
  });

  test("runs where it is told to, relative to the project", async () => {
    expect(await resolve({ command: "x", cwd: "sub" })).toMatchObject({ target: { cwd: "/project/sub" } });
    expect(await resolve({ command: "x", cwd: "${userHome}" })).toMatchObject({ target: { cwd: "/users/ann" } });
  });
});

test("a service has its headers filled in", async () => {
  expect(await resolve({ url: "https://x/${workspaceFolderBasename}", headers: { A: "Bearer ${TOKEN}" } })).toEqual({
    ok: true,
    target: { kind: "http", url: "https://x/project", headers: { A: "Bearer t0ken-value" } },
    filled: ["t0ken-value"],
    secrets: ["t0ken-value"],
  });
});

describe("what is hidden later", () => {
  const environment: Surroundings["environment"] = {
    KEY: "word",
    LONG: "a-b-c-d-e-f-7",
    DSN: "postgres://app:pw@db/x",
    WITH_QUERY: "https://x.example/?sig=abcdef",
    STEPWELL_INPUT_WHO: "ann",
    SLASHED: "/k3J9xAbCq8Zt4LmN0pR",
    FOLDER: "/srv/docs-2/Old Files",
    PLACE: "https://api.example.com/v1",
    REGION: "eu-central-1",
    MODE: "production",
  };

  const written = (name: string): string => `\${${name}}`;

  const filledOf = async (args: readonly string[], more: Json = {}): Promise<readonly string[]> => {
    const server = { command: "x", args, ...(more as object) } as Json;
    const [parsed] = parseServersFile({ servers: { one: server } }, { file: "x", folder: "/project" }).servers;
    const resolved = parsed === undefined ? undefined : await resolveServer(parsed, { ...around, environment });
    return resolved?.ok === true ? resolved.filled : ["refused"];
  };

  test.each(["KEY", "LONG", "DSN", "WITH_QUERY", "SLASHED"])("%s, since it may be a secret", async (name) => {
    expect(await filledOf([`a ${written(name)} b`])).toEqual([environment[name]]);
  });

  const secretsOf = async (name: string, value: string): Promise<readonly string[]> => {
    const server = { command: "x", env: { [name]: ["${", name, "}"].join("") } };
    const [parsed] = parseServersFile({ servers: { one: server } }, { file: "x", folder: "/project" }).servers;
    const resolved =
      parsed === undefined ? undefined : await resolveServer(parsed, { ...around, environment: { [name]: value } });
    return resolved?.ok === true ? resolved.secrets : ["refused"];
  };

  test.each([
    ["GITHUB_OWNER", "AcmeCorp"],
    ["AUTHOR", "johnsmith"],
    ["KEYCLOAK_URL", "https://id.example.com"],
    ["AUTH_METHOD", "password"],
    ["DB_HOST", "db.example.com"],
    ["MAIL_FROM", "me@corp.com"],
    ["TIME_ZONE", "Europe/Berlin"],
    ["MODEL", "gpt-4o-mini"],
  ])("in results not %s=%s, with which flows go on", async (name, value) => {
    expect(await secretsOf(name, value)).toEqual([]);
  });

  test.each([
    ["GITHUB_TOKEN", "swordfish"],
    ["apiKey", "abcdef"],
    ["DATABASE_URL", "postgres://app:pw@db/x"],
    ["WHATEVER", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
    ["HASH", "9f86d081884c7d659a2feaa0c55ad015"],
  ])("but %s=%s", async (name, value) => {
    expect(await secretsOf(name, value)).toEqual([value]);
  });

  test("whatever an input says", async () => {
    expect(await filledOf(["${input:who}"])).toEqual(["ann"]);
  });

  test.each(["FOLDER", "PLACE", "REGION", "MODE"])("not %s, which nobody would hide", async (name) => {
    expect(await filledOf([written(name)])).toEqual([]);
    expect(await filledOf([], { env: { API_TOKEN: written(name) } })).toEqual([environment[name]]);
  });

  test("nor what stands in the file itself, or is a place on the machine", async () => {
    expect(await filledOf(["${NOPE:-a-b-c-d-e}", "${userHome}", "${workspaceFolder}/x"], { cwd: "sub" })).toEqual([]);
  });
});
