import { describe, expect, test } from "vitest";
import { hashOf } from "../../flow/hash.ts";
import { describeTarget, tellTarget } from "./target-text.ts";

const program = (command: string, ...args: readonly string[]): string =>
  describeTarget({ target: { kind: "stdio", command, args, env: { TOKEN: "hunter2" }, cwd: null } });

const toldProgram = (command: string, ...args: readonly string[]): string =>
  tellTarget({ target: { kind: "stdio", command, args, env: { TOKEN: "hunter2" }, cwd: null } });

const service = (url: string): string =>
  describeTarget({ target: { kind: "http", url, headers: { Authorization: "Bearer hunter2" } } });

const mark = (word: string): string => `#${hashOf(word).slice(0, 8)}`;

describe("a program", () => {
  test.each([
    [["--dsn=postgres://ann:hunter2@db/app"], `npx --dsn=${mark("postgres://ann:hunter2@db/app")}`],
    [
      ["run", "-e", "DATABASE_URL=postgres://ann:hunter2@db/app"],
      `npx run -e ${mark("DATABASE_URL=postgres://ann:hunter2@db/app")}`,
    ],
    [["--pass", "hunter2"], "npx --pass …"],
    [["--password=hunter2"], "npx --password=…"],
    [["--api-key", "hunter2", "--token=hunter2"], "npx --api-key … --token=…"],
    [["--api-key", "--hunter2"], "npx --api-key …"],
    [["-u", "ann:hunter2"], `npx -u ${mark("ann:hunter2")}`],
    [["-phunter2"], `npx ${mark("-phunter2")}`],
    [["--hunter2"], `npx ${mark("--hunter2")}`],
    [["hunter2"], `npx ${mark("hunter2")}`],
    [["-p", "hunter2@example"], `npx -p ${mark("hunter2@example")}`],
    [["--header=Authorization: Bearer hunter2 def"], `npx --header=${mark("Authorization: Bearer hunter2 def")}`],
    [["--header", "Authorization: Bearer hunter2"], `npx --header ${mark("Authorization: Bearer hunter2")}`],
    [["-c", "export API_KEY=hunter2; x"], `npx -c ${mark("export API_KEY=hunter2; x")}`],
    [["--api-key", "${KEY:-hunter2}"], "npx --api-key …"],
    [["${KEY:-hunter2}"], `npx ${mark("${KEY:-hunter2}")}`],
    [["postgres://ann:hunter2@db/app"], `npx ${mark("postgres://ann:hunter2@db/app")}`],
    [["https://ann:hunter2@x/mcp?key=hunter2&mode=hunter2#hunter2"], `npx https://x/mcp?key=…&mode=${mark("hunter2")}`],
    [["--url=https://ann:hunter2@x/mcp"], "npx --url=https://x/mcp"],
    [["https://ann:hunter2/x@db/mcp"], `npx ${mark("https://ann:hunter2/x@db/mcp")}`],
    [["@sk_live/hunter2hunter2hunter2hunter2"], `npx ${mark("@sk_live/hunter2hunter2hunter2hunter2")}`],
  ])("%j shows no secret", (args, text) => {
    expect(program("npx", ...args)).toBe(text);
    expect(text).not.toContain("hunter2");
    expect(toldProgram("npx", ...args)).not.toContain("hunter2");
  });

  test.each([
    [["-y", "pkg@1.0.0"], "npx -y pkg@1.0.0"],
    [["@scope/a-package-with-a-long-name@2026.8.31"], "npx @scope/a-package-with-a-long-name@2026.8.31"],
    [["@scope/pkg", "@scope/other@latest", "pkg==1.2.3"], "npx @scope/pkg @scope/other@latest pkg==1.2.3"],
    [
      ["--api-key", "${KEY}", "--token=${env:T}", "${input:mode}"],
      "npx --api-key ${KEY} --token=${env:T} ${input:mode}",
    ],
    [["run", "-i", "--rm", "--log-level=…"], `npx run -i --rm --log-level=${mark("…")}`],
    [["a folder"], `npx ${mark("a folder")}`],
  ])("%j shows what it runs", (args, text) => {
    expect(program("npx", ...args)).toBe(text);
  });

  test("is another one in another folder, and is never read as two words", () => {
    expect(program("/usr/bin/npx")).toBe(`${mark("/usr/bin")}/npx`);
    expect(program("C:\\bin\\npx.cmd")).toBe(`${mark("C:\\bin")}/npx.cmd`);
    expect(program("hunter2 hunter2")).toBe(mark("hunter2 hunter2"));
    expect(program("npx", "one", "two")).not.toBe(program("npx", "one two"));
    expect(program("npx", "/one")).not.toBe(program("npx", "/two"));
  });
});

test.each([
  [
    "https://mcp.example.com/api/mcp/s/hunter2hunter/mcp",
    `https://mcp.example.com/api/mcp/s/${mark("hunter2hunter")}/mcp`,
  ],
  ["https://x/v1/my-server.json/2024", "https://x/v1/my-server.json/2024"],
  ["https://x/hUnterTwo/AbCdEfGh", `https://x/${mark("hUnterTwo")}/${mark("AbCdEfGh")}`],
  ["https://x/abcdefghijklmnopqrstuvwxyz/%41", `https://x/${mark("abcdefghijklmnopqrstuvwxyz")}/${mark("%41")}`],
  ["https://x:8443/mcp/", "https://x:8443/mcp/"],
  ["http://[::1]:3000", "http://[::1]:3000"],
  ["https://${HOST}/${PART}/mcp?v=${V}", "https://${HOST}/${PART}/mcp?v=${V}"],
  ["https://x/mcp?hunter2", "https://x/mcp?…"],
  ["https://x/mcp?hunter2=1", `https://x/mcp?${mark("hunter2")}=${mark("1")}`],
  ["${WHOLE}", "${WHOLE}"],
  ["https://ann:hunter2", mark("https://ann:hunter2")],
])("the address %s is written down as %s", (url, text) => {
  expect(service(url)).toBe(text);
});

describe("for people", () => {
  test.each([
    [
      ["node", "/srv/mcp/files/dist/index.js", "/srv/my files", "."],
      "node /srv/mcp/files/dist/index.js /srv/my files .",
    ],
    [["/usr/bin/node", "server.py", "--root=~/notes", "../up"], "/usr/bin/node server.py --root=~/notes ../up"],
    [["C:\\bin\\npx.cmd", "C:\\notes\\a.db"], "C:\\bin/npx.cmd C:\\notes\\a.db"],
    [["npx", "-y", "pkg@1.0.0", "/data"], "npx -y pkg@1.0.0 /data"],
  ])("%j is told with the paths of its files", ([command = "", ...args], text) => {
    expect(toldProgram(command, ...args)).toBe(text);
  });

  test("what may be anything else is left out, and so is what is called a secret or looks like a key", () => {
    expect(toldProgram("npx", "one", "--mode", "fast", "--token", "/srv/key")).toBe("npx … --mode … --token …");
    expect(toldProgram("npx", "/srv/aB3dE5gH7jK9mN1pQ3/in", "/0123456789abcdef0123")).toBe("npx /srv/…/in /…");
    expect(tellTarget({ target: { kind: "http", url: "https://x/v1/s/hunter2/mcp?key=1&mode=a", headers: {} } })).toBe(
      "https://x/v1/s/…/mcp?key=…&mode=…",
    );
  });
});
