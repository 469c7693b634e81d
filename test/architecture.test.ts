import { describe, expect, test } from "vitest";
import {
  findAny,
  findEmptyNames,
  findExcuses,
  findLongFiles,
  findLongFunctions,
  findMachinePaths,
} from "./architecture/form.ts";
import { findCycles, findLayerBreaches, findPageBreaches } from "./architecture/layers.ts";
import { findImpurities } from "./architecture/purity.ts";
import { isTypeScript, readRepository, type Breach, type SourceFile } from "./architecture/source-file.ts";

type Rule = (files: readonly SourceFile[]) => readonly Breach[];

const lines = (count: number): string => "1;\n".repeat(count);

/** For each rule samples that it must find, with the breach, and some that it must not. */
const samples: readonly {
  readonly name: string;
  readonly rule: Rule;
  readonly bad: readonly (readonly [path: string, text: string, breach: Breach])[];
  readonly good: readonly (readonly [path: string, text: string])[];
}[] = [
  {
    name: "dependencies point one way",
    rule: findLayerBreaches,
    bad: [
      ["src/flow/a.ts", '\nimport { b } from "../run/b.ts";', "src/flow/a.ts:2: flow must not use src/run/b.ts"],
      ["src/flow/a.ts", 'import type { B } from "../run/b.ts";', "src/flow/a.ts:1: flow must not use src/run/b.ts"],
      ["src/run/a.ts", 'export { b } from "../store/b.ts";', "src/run/a.ts:1: run must not use src/store/b.ts"],
      ["src/run/a.ts", 'export * from "../tool/b.ts";', "src/run/a.ts:1: run must not use src/tool/b.ts"],
      ["src/store/a.ts", 'await import("../engine/b.ts");', "src/store/a.ts:1: store must not use src/engine/b.ts"],
      ["src/engine/a.ts", 'import "../server/b.ts";', "src/engine/a.ts:1: engine must not use src/server/b.ts"],
      ["src/server/a.ts", 'import "../cli/b.ts";', "src/server/a.ts:1: server must not use src/cli/b.ts"],
      [
        "src/engine/a.ts",
        'import "../store/sqlite/b.ts";',
        "src/engine/a.ts:1: engine must not use src/store/sqlite/b.ts",
      ],
      ["src/engine/a.ts", 'import "../tool/mcp/b.ts";', "src/engine/a.ts:1: engine must not use src/tool/mcp/b.ts"],
      ["src/error.ts", 'import "./flow/finding.ts";', "src/error.ts:1: error must not use src/flow/finding.ts"],
      ["src/index.ts", 'import "./cli/b.ts";', "src/index.ts:1: index must not use src/cli/b.ts"],
      ["src/flow/a.ts", 'import "../../test/b.ts";', "src/flow/a.ts:1: flow must not use test/b.ts"],
      ["src/other/a.ts", "", "src/other/a.ts:1: other is no part of src that the layers know"],
    ],
    good: [
      ["src/cli/a.ts", 'import "../server/b.ts"; import "../flow/b.ts"; import "node:fs";'],
      ["src/engine/a.ts", 'import "../store/store.ts"; import "../tool/tool.ts"; import "./b.ts";'],
      [
        "src/flow/a.ts",
        'import { StepwellError } from "../error.ts"; const text = \'import "../run/b.ts"\'; // import "../run/b.ts"',
      ],
      ["src/flow/a.test.ts", 'import "../testing/b.ts";'],
      ["test/a.ts", 'import "../src/cli/b.ts";'],
    ],
  },
  {
    name: "on the page thinking stands alone, and only api knows the server",
    rule: findPageBreaches,
    bad: [
      ["ui/src/model/a.ts", 'import "../api/b.ts";', "ui/src/model/a.ts:1: model must not use ui/src/api/b.ts"],
      [
        "ui/src/views/a.tsx",
        'import type { A } from "../../../src/server/contract.ts";',
        "ui/src/views/a.tsx:1: views must not use src/server/contract.ts",
      ],
      ["ui/src/api/a.ts", 'import "../../../src/flow/b.ts";', "ui/src/api/a.ts:1: api must not use src/flow/b.ts"],
      [
        "ui/src/components/a.tsx",
        'import "../views/b.tsx";',
        "ui/src/components/a.tsx:1: components must not use ui/src/views/b.tsx",
      ],
    ],
    good: [
      ["ui/src/api/a.ts", 'import type { A } from "../../../src/server/contract.ts"; import "../model/b.ts";'],
      ["ui/src/views/a.tsx", 'import "../components/b.tsx"; import "react";'],
      ["ui/src/model/a.test.ts", 'import "../../../src/flow/b.ts";'],
    ],
  },
  {
    name: "flow and run are pure",
    rule: findImpurities,
    bad: [
      ["src/flow/a.ts", "const now = new Date();", "src/flow/a.ts:1: pure code must not use Date"],
      ["src/run/a.ts", "\nconst now = Date.now();", "src/run/a.ts:2: pure code must not use Date"],
      ["src/run/a.ts", "let at: Date;", "src/run/a.ts:1: pure code must not use Date"],
      ["src/run/a.ts", "Math.random();", "src/run/a.ts:1: pure code must not use Math.random"],
      ["src/run/a.ts", 'Math["ran" + "dom"]();', "src/run/a.ts:1: pure code must not use Math.random"],
      ["src/run/a.ts", "const { random } = Math;", "src/run/a.ts:1: pure code must not use Math as a whole"],
      ["src/run/a.ts", "performance.now();", "src/run/a.ts:1: pure code must not use performance"],
      ["src/run/a.ts", "setTimeout(() => {}, 1);", "src/run/a.ts:1: pure code must not use setTimeout"],
      ["src/run/a.ts", "const x = { process };", "src/run/a.ts:1: pure code must not use process"],
      ["src/run/a.ts", 'eval("1");', "src/run/a.ts:1: pure code must not use eval"],
      ["src/run/a.ts", "f(globalThis);", "src/run/a.ts:1: pure code must not use globalThis"],
      ["src/run/a.ts", 'fetch("x");', "src/run/a.ts:1: pure code must not use fetch"],
      ["src/run/a.ts", "async function f() {}", "src/run/a.ts:1: pure code must not use async"],
      ["src/run/a.ts", "const f = async () => {};", "src/run/a.ts:1: pure code must not use async"],
      ["src/run/a.ts", "const x = await y;", "src/run/a.ts:1: pure code must not use await"],
      ["src/run/a.ts", "for await (const x of y) f(x);", "src/run/a.ts:1: pure code must not use await"],
      ["src/flow/a.ts", 'import fs from "node:fs";', "src/flow/a.ts:1: pure code must not import node:fs"],
      [
        "src/flow/a.ts",
        'import { createHash } from "node:crypto";',
        "src/flow/a.ts:1: pure code must not import node:crypto",
      ],
      [
        "src/flow/hash.ts",
        'import { randomUUID } from "node:crypto";',
        "src/flow/hash.ts:1: pure code must not import node:crypto",
      ],
      [
        "src/flow/hash.ts",
        'import * as all from "node:crypto";',
        "src/flow/hash.ts:1: pure code must not import node:crypto",
      ],
      [
        "src/flow/a.ts",
        'import "yaml-language-server";',
        "src/flow/a.ts:1: pure code must not import yaml-language-server",
      ],
      ["src/flow/a.ts", 'export { x } from "pino";', "src/flow/a.ts:1: pure code must not import pino"],
    ],
    good: [
      ["src/flow/hash.ts", 'import { createHash } from "node:crypto";'],
      ["src/flow/a.ts", 'import { parse } from "yaml"; import ajv from "ajv/dist/2020.js"; import "./b.ts";'],
      [
        "src/flow/a.ts",
        'Math.max(1, 2); run.process; ({ Date: 1, fetch() {} }); "Date.now()"; `process`; // new Date()',
      ],
      ["src/flow/a.ts", "type Env = { performance: number; fetch(): void }; class A { process = 1; eval() {} }"],
      ["src/flow/a.test.ts", 'import "node:fs"; new Date(); await x;'],
      ["src/engine/a.ts", "await setTimeout(new Date());"],
    ],
  },
  {
    name: "no file has more than 400 lines",
    rule: findLongFiles,
    bad: [["src/a.ts", lines(401), "src/a.ts:1: 401 lines; 400 is the limit"]],
    good: [
      ["test/a.ts", lines(400)],
      ["docs/a.md", lines(500)],
    ],
  },
  {
    name: "no function has more than 70 lines",
    rule: findLongFunctions,
    bad: [
      ["src/a.ts", `\nfunction f() {\n${lines(69)}}`, "src/a.ts:2: a function of 71 lines; 70 is the limit"],
      ["src/a.ts", `const f = () => {\n${lines(69)}}`, "src/a.ts:1: a function of 71 lines; 70 is the limit"],
      ["src/a.ts", `class A { m() {\n${lines(69)}} }`, "src/a.ts:1: a function of 71 lines; 70 is the limit"],
      ["src/a.ts", `test("x", () => {\n${lines(69)}})`, "src/a.ts:1: a function of 71 lines; 70 is the limit"],
      ["src/a.test.ts", `other(() => {\n${lines(69)}})`, "src/a.test.ts:1: a function of 71 lines; 70 is the limit"],
      ["src/a.test.ts", `(0, f)(() => {\n${lines(69)}})`, "src/a.test.ts:1: a function of 71 lines; 70 is the limit"],
    ],
    good: [
      ["src/a.ts", `function f() {\n${lines(68)}}`],
      ["src/a.test.ts", `describe.each([1])("x", () => {\n${lines(100)}})`],
    ],
  },
  {
    name: "nothing has the type any",
    rule: findAny,
    bad: [
      ["src/a.ts", "let a: any;", "src/a.ts:1: the type any; use unknown and find out"],
      ["test/a.ts", "\nf(x as Map<string, any[]>);", "test/a.ts:2: the type any; use unknown and find out"],
    ],
    good: [["src/a.ts", 'const any = "any"; // any: any']],
  },
  {
    name: "no comment switches a check off",
    rule: findExcuses,
    bad: [
      "eslint-disable-next-line",
      "oxlint-disable no-console",
      "c8 ignore next",
      "v8 ignore next",
      "istanbul ignore else",
      "@ts-ignore",
      "@ts-expect-error",
      "@ts-nocheck",
    ].map((excuse) => [
      "src/a.ts",
      `a;\n/* ${excuse} */`,
      `src/a.ts:2: "${excuse}" switches a check off; mend the code instead`,
    ]),
    good: [["src/a.ts", 'const text = "// @ts-ignore"; // what to ignore']],
  },
  {
    name: "every name says what is inside",
    rule: findEmptyNames,
    bad: ["src/utils.ts", "src/flow/helpers/a.ts", "test/common.test.ts", "docs/misc.md"].map((path) => [
      path,
      "",
      `${path}:1: a name that could hold anything; name it for what is inside`,
    ]),
    good: [["src/flow/uncommon.ts", ""]],
  },
  {
    name: "no path of one machine is written down",
    rule: findMachinePaths,
    bad: ["work", "home", "root"].map((folder) => [
      "docs/a.md",
      `\nopen /${folder}/x`,
      `docs/a.md:2: /${folder}/ is a folder of one machine; write a path relative to the repository`,
    ]),
    good: [["docs/a.md", ["GET /api", "work/x and ~", "home/x and a", "root/x"].join("/")]],
  },
];

describe.each(samples)("the rule that $name", ({ rule, bad, good }) => {
  test.each(bad)("finds it in %s: %j", (path, text, breach) => {
    expect(rule([{ path, text }])).toEqual([breach]);
  });

  test.each(good)("finds nothing in %s: %j", (path, text) => {
    expect(rule([{ path, text }])).toEqual([]);
  });
});

/** Files that import each other as listed, by name. */
function filesOf(imports: Readonly<Record<string, readonly string[]>>): readonly SourceFile[] {
  return Object.entries(imports).map(([path, targets]) => ({
    path: `src/${path}.ts`,
    text: targets.map((target) => `import type { X } from "./${target}.ts";`).join("\n"),
  }));
}

describe("the rule that imports make no circle", () => {
  test("finds circles of any length, once each", () => {
    expect(findCycles(filesOf({ a: ["b"], b: ["c"], c: ["a"] }))).toEqual([
      "src/a.ts → src/b.ts → src/c.ts → src/a.ts",
    ]);
    expect(findCycles(filesOf({ a: ["a"] }))).toEqual(["src/a.ts → src/a.ts"]);
    expect(findCycles(filesOf({ x: ["a"], a: ["b"], b: ["a"] }))).toEqual(["src/a.ts → src/b.ts → src/a.ts"]);
  });

  test("finds nothing where two ways lead to one file", () => {
    expect(findCycles(filesOf({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] }))).toEqual([]);
  });
});

describe("the repository", () => {
  const repository = readRepository();
  const code = repository.filter((file) => /^(?:src|test|scripts|bench|ui)\//.test(file.path) && isTypeScript(file));

  test("is read at all", () => {
    expect(code.length).toBeGreaterThan(20);
  });

  test.each([
    ...samples.map(({ name, rule }) => ({ name, rule })),
    { name: "imports make no circle", rule: findCycles },
  ])("keeps the rule that $name", ({ rule }) => {
    expect(rule(rule === findMachinePaths || rule === findEmptyNames ? repository : code)).toEqual([]);
  });
});
