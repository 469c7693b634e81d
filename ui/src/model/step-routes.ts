// Where a step leads by its outcome: in a map or a list, under `routes`, its alias `on`, or `on_error`.

import { isObject, type Json, type JsonObject } from "./json.ts";
import { pointerOf, setAt, valueAt, type Patch, type Path } from "./patch.ts";

export type Route = {
  /** Without `on_`. */
  readonly outcome: string;
  readonly target: Json;
  /** Of the target, below the step. */
  readonly path: Path;
  /** What goes with it. */
  readonly whole: Path;
};

const holders = ["routes", "on"] as const;

export function routesIn(step: JsonObject): readonly Route[] {
  const short = step["on_error"];
  return [
    ...holders.flatMap((key) => routesUnder(step, key)),
    ...(short === undefined ? [] : [{ outcome: "error", target: short, path: ["on_error"], whole: ["on_error"] }]),
  ];
}

function routesUnder(step: JsonObject, key: string): readonly Route[] {
  const routes = step[key];
  if (isObject(routes)) {
    const names = Object.entries(routes);
    return names.map(([name, target]) => {
      const path = [key, name];
      // The last route takes the map with it, or the list.
      return { outcome: withoutPrefix(name), target, path, whole: names.length === 1 ? [key] : path };
    });
  }
  if (!Array.isArray(routes)) return [];
  return (routes as readonly Json[]).flatMap((route, at) => {
    if (!isObject(route) || typeof route["branch"] !== "string") return [];
    const whole = [key, String(at)];
    const target = route["goto"] ?? null;
    const outcome = withoutPrefix(route["branch"]);
    return [{ outcome, target, path: [...whole, "goto"], whole: routes.length === 1 ? [key] : whole }];
  });
}

function withoutPrefix(outcome: string): string {
  return outcome.replace(/^on_/, "");
}

/** undefined: it has no way of its own any more. */
export function setRoute(flow: Json, place: Path, outcome: string, target: string | undefined): Patch {
  const found = valueAt(flow, place);
  const step = isObject(found) ? found : {};
  const known = routesIn(step).find((route) => route.outcome === outcome);
  if (known !== undefined) return setAt(flow, [...place, ...(target === undefined ? known.whole : known.path)], target);
  if (target === undefined) return [];
  if (outcome === "error") return setAt(flow, [...place, "on_error"], target);
  const holder = holders.find((key) => key in step) ?? "routes";
  const list = step[holder];
  if (!Array.isArray(list)) return setAt(flow, [...place, holder, outcome], target);
  const path = pointerOf([...place, holder, String(list.length)]);
  return [{ op: "add", path, value: { branch: outcome, goto: target } }];
}
