// One route, defined once: what it takes and gives is checked, typed and described by the same words.

import { z, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Right } from "../access/permission.ts";
import type { UserEngine } from "../engine/engine.ts";
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
  /** What whoever asks must be allowed; the engine checks it. */
  readonly right: Right | "anyone";
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Shape;
  /** Of an answer; 200 unless given. */
  readonly status?: ContentfulStatusCode;
};

export type Asked<Query extends Shape | undefined, Body extends Shape | undefined> = {
  readonly engine: UserEngine;
  readonly visitor: Visitor;
  /** What stands in the address in place of `{id}`. */
  readonly named: (name: string) => string;
  readonly query: Given<Query>;
  readonly body: Given<Body>;
  readonly context: Context<Door>;
};

/** What `answer` gives is sent as JSON. */
export function addRoute<Query extends Shape | undefined = undefined, Body extends Shape | undefined = undefined>(
  app: App,
  definition: RouteDefinition<Query, Body>,
  answer: (asked: Asked<Query, Body>) => Promise<unknown>,
): void {
  const { method, path, query, body, status = 200 } = definition;
  app.openAPIRegistry.registerPath(describe(definition));
  app.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/gu, ":$1"), async (context) => {
    const visitor = context.get("visitor");
    const asked = {
      visitor,
      engine: visitor.engine,
      named: (name: string) => context.req.param(name) ?? "",
      query: (query === undefined ? undefined : readQuery(context, query)) as Given<Query>,
      body: (body === undefined ? undefined : await readBody(context, body)) as Given<Body>,
      context,
    };
    return context.json((await answer(asked)) ?? null, status);
  });
}

function describe(definition: RouteDefinition<Shape | undefined, Shape | undefined>): RouteConfig {
  const { method, path, about, tag, right, query, body, answer, status = 200 } = definition;
  const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name);
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
