// What comes in and what is answered: one note for each request, for the figures and for the log. By the pattern of its
// route, never by the address itself, which may hold what is nobody's business.

import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Door } from "./door.ts";

export type Passage = {
  readonly method: string;
  /** `/api/workflow/:id`; `page`: the page and its files; `none`: there is no such route. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** null: who came was nobody, or was not asked. */
  readonly user: string | null;
};

const methods: ReadonlySet<string> = new Set(["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"]);

/** By the path of a route, as people read it. */
const names = new Map<string, string>();

function nameOf(path: string): string {
  let name = names.get(path);
  if (name === undefined) names.set(path, (name = path.replaceAll(/:p\d+/gu, ":id")));
  return name;
}

/** `note` must not throw, and must not take long. */
export function watchTraffic(note: (passage: Passage) => void): MiddlewareHandler<Door> {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    const found = matchedRoutes(context).findLast(({ path }) => !path.endsWith("*"));
    const { method } = context.req;
    note({
      method: methods.has(method) ? method : "OTHER",
      route: found === undefined ? (context.res.status < 400 ? "page" : "none") : nameOf(found.path),
      status: context.res.status,
      ms: performance.now() - begun,
      user: (context.get("visitor") as Door["Variables"]["visitor"] | undefined)?.user ?? null,
    });
  };
}

/** Upper bounds in milliseconds. */
export const bounds: readonly number[] = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000];

export type RouteFigures = {
  readonly method: string;
  readonly route: string;
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests for each of `bounds`, and one more for those that took longer. */
  readonly taken: readonly number[];
  readonly sumMs: number;
};

type Counted = {
  readonly method: string;
  readonly route: string;
  readonly statuses: Map<number, number>;
  readonly taken: number[];
  sumMs: number;
};

/** Counts passages by route; there are as many entries as there are routes. */
export class Traffic {
  readonly #routes = new Map<string, Counted>();

  note({ method, route, status, ms }: Passage): void {
    const key = `${method} ${route}`;
    let counted = this.#routes.get(key);
    if (counted === undefined) {
      counted = {
        method,
        route,
        statuses: new Map(),
        taken: Array.from({ length: bounds.length + 1 }, () => 0),
        sumMs: 0,
      };
      this.#routes.set(key, counted);
    }
    counted.statuses.set(status, (counted.statuses.get(status) ?? 0) + 1);
    const at = bounds.findIndex((bound) => ms <= bound);
    const bucket = at < 0 ? bounds.length : at;
    counted.taken[bucket] = (counted.taken[bucket] ?? 0) + 1;
    counted.sumMs += ms;
  }

  list(): readonly RouteFigures[] {
    return [...this.#routes.values()];
  }
}
