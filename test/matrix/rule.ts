// Who gets in where, as a rule: from the right that a route says it takes, and from nothing else. What routes answer is
// compared with it, cell by cell.

import { isCovered, keyOf, ownKeyOf, type Right } from "../../src/access/permission.ts";
import { expandScopes, scopeWords } from "../../src/access/scope.ts";
import type { JsonObject } from "../../src/flow/json.ts";

/** Who comes: nobody, tokens of somebody who may do everything, and a user who may deal with their own runs only, to whom
 *  the runs in question do not belong. */
export const columns: readonly string[] = ["nobody", ...scopeWords, "own"];

export const ownKeys: readonly string[] = (["read", "answer", "signal", "cancel", "operate"] as const).map(ownKeyOf);

/** `in`: whatever is wrong with the request then, it is not who asks. */
export type Cell = "in" | 401 | 403 | 404;

export type Route = {
  /** `POST /api/workflow/{id}/pause` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly right: string;
};

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

export function listRoutes(document: JsonObject): readonly Route[] {
  return Object.entries(document["paths"] as JsonObject).flatMap(([path, found]) =>
    Object.entries(found as JsonObject).flatMap(([word, definition]) => {
      const method = word.toUpperCase();
      const right = (definition as JsonObject)["x-stepwell-right"] as string;
      return methods.has(word) ? [{ name: `${method} ${path}`, method, path, right }] : [];
    }),
  );
}

/** Routes that give everybody their own part, where others would have to see all of it. */
export const narrowing: ReadonlySet<string> = new Set([
  "GET /api/workflow",
  "GET /api/inbox",
  "GET /api/overview",
  "GET /api/find",
  "GET /api/events",
  "GET /api/alarms",
  "GET /api/schedules",
  "GET /api/stats",
  "GET /api/outcomes",
  "GET /api/statistics",
  // What is sent is looked at, and nothing else.
  "POST /api/workflow/validate",
  "POST /api/workflow/mend",
  "POST /api/schedules/preview",
]);

export function cellOf(route: Route, who: string): Cell {
  if (route.right === "public") return "in";
  if (who === "nobody") return 401;
  if (route.right === "anyone") return "in";
  const right = route.right as Right;
  if (who !== "own") return isCovered(keyOf(right), expandScopes([who])) ? "in" : 403;
  if (!ownKeys.includes(ownKeyOf(right))) return 403;
  if (isAboutRun(route)) return 404;
  return narrowing.has(route.name) ? "in" : 403;
}

/** It names a run or a step. */
export function isAboutRun({ path }: Route): boolean {
  return /^\/api\/(?:workflow|schedules)\/\{(?:id|step_id)\}/.test(path);
}

/** One line for each route: its right, and a cell for each column. */
export function writeTable(routes: readonly Route[]): string {
  const lines = routes
    .toSorted((one, other) => one.path.localeCompare(other.path, "en") || one.method.localeCompare(other.method, "en"))
    .map((route) => {
      const cells = [route.right, ...columns.map((who) => cellOf(route, who))];
      return `    ${JSON.stringify(route.name)}: [${cells.map((cell) => JSON.stringify(cell)).join(", ")}]`;
    });
  const head = ["right", ...columns].map((column) => JSON.stringify(column)).join(", ");
  return `{\n  "columns": [${head}],\n  "routes": {\n${lines.join(",\n")}\n  }\n}\n`;
}
