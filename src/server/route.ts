// One route, defined once: what it takes and gives is checked, typed and described by the same words.

import { z, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Right } from "../access/permission.ts";
import type { UserEngine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import type { App, Door } from "./door.ts";
import { problemSchema } from "./contract.ts";
import { readBody, readQuery } from "./reading.ts";
import type { Visitor } from "./visitor.ts";

type Shape = z.ZodType;
type Given<Schema extends Shape | undefined> = Schema extends Shape ? z.output<Schema> : undefined;

export type RouteDefinition<Query extends Shape | undefined, Body extends Shape | undefined> = {
  readonly method: "get" | "post" | "delete" | "put" | "patch";
  /** As OpenAPI writes it: `/api/workflow/{id}`. */
  readonly path: string;
  /** In a few words, for whoever reads the list of routes. */
  readonly about: string;
  readonly tag: string;
  /** What whoever asks must be allowed; the engine checks it. `anyone`: who is let in; `public`: nobody in particular. */
  readonly right: Right | "anyone" | "public";
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Shape;
  /** Of an answer; 200 unless given. */
  readonly status?: ContentfulStatusCode;
};

type Told<Query extends Shape | undefined, Body extends Shape | undefined> = {
  /** What stands in the address in place of `{id}`. */
  readonly named: (name: string) => string;
  readonly query: Given<Query>;
  readonly body: Given<Body>;
  readonly context: Context<Door>;
};

export type Asked<Query extends Shape | undefined, Body extends Shape | undefined> = Told<Query, Body> & {
  readonly engine: UserEngine;
  readonly visitor: Visitor;
};

/** What `answer` gives is sent as JSON, unless it is a whole response. */
export function addRoute<Query extends Shape | undefined = undefined, Body extends Shape | undefined = undefined>(
  app: App,
  definition: RouteDefinition<Query, Body>,
  answer: (asked: Asked<Query, Body>) => Promise<unknown>,
): void {
  addPublicRoute(app, definition, (told) => {
    const visitor = told.context.get("visitor");
    const key = definition.method === "get" ? undefined : told.context.req.header("idempotency-key");
    const engine = key === undefined ? visitor.engine : visitor.engine.under(checkKey(key));
    return answer({ ...told, visitor, engine });
  });
}

/** Nobody stands at the door; for routes that are added before anybody is asked who they are. */
export function addPublicRoute<Query extends Shape | undefined = undefined, Body extends Shape | undefined = undefined>(
  app: App,
  definition: RouteDefinition<Query, Body>,
  answer: (told: Told<Query, Body>) => Promise<unknown>,
): void {
  const { method, path, query, body, status = 200 } = definition;
  app.openAPIRegistry.registerPath(describe(definition));
  const names = namesIn(path);
  // By their places: where routes differ in what a place is called, the quick router gives up.
  const pattern = names.reduce((text, name, at) => text.replace(`{${name}}`, `:p${at}`), path);
  app.on(method.toUpperCase(), pattern, async (context) => {
    const told = {
      named: (name: string) => context.req.param(`p${names.indexOf(name)}`) ?? "",
      query: (query === undefined ? undefined : readQuery(context, query)) as Given<Query>,
      body: (body === undefined ? undefined : await readBody(context, body)) as Given<Body>,
      context,
    };
    const given = await answer(told);
    return given instanceof Response ? given : context.json(given ?? null, status);
  });
}

/** It is kept with what it was used for. */
function checkKey(key: string): string {
  if (key.length > 0 && key.length <= 200) return key;
  throw new StepwellError("INPUT_INVALID", "An Idempotency-Key has a character at least, and 200 at most.");
}

/** Of what stands in the address, in order. */
function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name);
}

function describe(definition: RouteDefinition<Shape | undefined, Shape | undefined>): RouteConfig {
  const { method, path, about, tag, right, query, body, answer, status = 200 } = definition;
  const names = namesIn(path);
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  return {
    method,
    path,
    summary: about,
    tags: [tag],
    "x-stepwell-right": right,
    request: {
      ...(names.length === 0 ? {} : { params }),
      ...(query instanceof z.ZodObject ? { query } : {}),
      ...(body === undefined ? {} : { body: { content: { "application/json": { schema: body } } } }),
    },
    responses: {
      [status]: { description: about, content: { "application/json": { schema: answer } } },
      default: { description: "What went wrong", content: { "application/problem+json": { schema: problemSchema } } },
    },
  };
}
