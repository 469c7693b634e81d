// Stands for `vitest` while mutants are tried: a test runs where it is written, and the first that fails throws. The
// matchers are vitest's own.

export { expect } from "vitest";

type Body = (...values: readonly unknown[]) => unknown;
type Each = (table: readonly unknown[]) => (title: string, body: Body) => void;
type Declare = ((title: string, body: Body) => void) & { readonly each: Each };

const waiting: Body[] = [];

function declareBy(run: (body: Body) => void): Declare {
  const each: Each = (table) => (_title, body) => {
    for (const row of table) run(() => (Array.isArray(row) ? body(...row) : body(row)));
  };
  return Object.assign((_title: string, body: Body) => run(body), { each });
}

export const describe: Declare = declareBy((body) => void body());
export const it: Declare = declareBy((body) => void waiting.push(body));
export const test: Declare = it;

/** Forgets what a file declared before it failed to load. */
export function dropTests(): void {
  waiting.length = 0;
}

export async function runTests(): Promise<void> {
  for (const body of waiting.splice(0)) await body();
}
