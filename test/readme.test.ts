// What the README shows is what there is.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { compile, drawAscii, validate } from "../src/index.ts";
import { readText } from "./example-files.ts";

const readme = readText("README.md");
const root = new URL("..", import.meta.url);
const flow = readText("examples/demo/flaky-fetch.yaml");

describe("README.md", () => {
  test.each(
    [...readme.matchAll(/^```\w+ (examples\/\S+)\n(.*?)^```$/gms)].map(([, path = "", text = ""]) => [path, text]),
  )("shows %s as it is", (path, text) => {
    expect(text).toBe(readText(path));
  });

  test("shows the example as it is drawn", () => {
    expect(readme).toContain(`\`\`\`\n${drawAscii(compile(flow), { width: 80 }).trimEnd()}\n\`\`\``);
  });

  test("shows the message that a slip of the pen gets", () => {
    const [found] = validate(flow.replace("next: summarize", "next: sumarize")).findings;
    expect(readme).toContain(`${found?.line}:${found?.column}  error ${found?.code}: ${found?.message}`);
  });

  test("names only files and commands that are there", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = ""]) => path);
    for (const path of links) expect(() => readText(path)).not.toThrow();
    const { scripts } = JSON.parse(readText("package.json")) as {
      readonly scripts: { readonly [name: string]: string };
    };
    const commands = [...readme.matchAll(/npm run (\w+)/g)].map(([, name = ""]) => name);
    expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test("its programs run against the built package as a user would run them", () => {
    const steps = execFileSync(process.execPath, ["examples/library/run-a-flow.ts", ":memory:"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(steps).toMatch(/^greet running\n(?:\w+ \w+\n)+flow completed\n\{ sent: 'Hello Ada!' \}\n$/);
    expect(readme).toContain(steps.trimEnd().split("\n").at(-1));
    const printed = execFileSync(process.execPath, ["examples/library/check-a-flow.ts"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(printed.trimEnd()).toBe(drawAscii(compile(flow), { width: 80 }).trimEnd());
  });
});
