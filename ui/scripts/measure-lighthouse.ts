// `npm run measure:lighthouse`: what Lighthouse says of Home, Runs and a run, as on a desk, three times each, medians. Figures
// for docs/performance.md; nothing is asserted. Lighthouse is fetched when this runs: it is larger than all else that the
// tests need together, and nobody else needs it.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findChromium } from "../../scripts/chromium.ts";
import { ensurePage } from "../../scripts/ensure-page.ts";
import { openHouse } from "../test/harness/house.ts";
import { quiet } from "../test/harness/browser.ts";

const lighthouse = "lighthouse@13.5.0";
const passes = 3;
const runs = 200;

const scores = ["performance", "accessibility", "best-practices"] as const;
const times = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
] as const;

type Report = {
  readonly categories: Readonly<Record<string, { readonly score: number | null } | undefined>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number } | undefined>>;
};

async function look(url: string): Promise<readonly number[]> {
  const flags = ["--preset=desktop", "--output=json", "--quiet", `--only-categories=${scores.join(",")}`];
  const chromium = `--chrome-flags=--headless=new ${quiet.join(" ")}`;
  const { stdout } = await promisify(execFile)("npx", ["--yes", lighthouse, url, ...flags, chromium], {
    env: { ...process.env, CHROME_PATH: findChromium() },
    maxBuffer: 64 * 1024 * 1024,
  });
  const { categories, audits } = JSON.parse(stdout) as Report;
  return [
    ...scores.map((name) => (categories[name]?.score ?? Number.NaN) * 100),
    ...times.map((name) => audits[name]?.numericValue ?? Number.NaN),
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

ensurePage();
await using house = await openHouse({ hasDemos: true });
const { engine } = house;
let last = 0;
for (let made = 0; made < runs; made++) {
  const { id } = await engine.start("hello");
  last = id;
}
await engine.result(last);
const places = { Home: "/", Runs: "/runs", "a run": `/runs/${last}` };
console.log(["page", ...scores, ...times].join(" | "));
for (const [name, path] of Object.entries(places)) {
  const seen: (readonly number[])[] = [];
  for (let pass = 0; pass < passes; pass++) seen.push(await look(`${house.address}${path}`));
  const figures = [...scores, ...times].map((_name, at) => median(seen.map((one) => one[at] ?? Number.NaN)));
  console.log([name, ...figures.map((figure) => Math.round(figure * 100) / 100)].join(" | "));
}
