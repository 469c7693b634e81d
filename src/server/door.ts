// What the service is made of, for the files that add something to it.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Visitor } from "./visitor.ts";

/** What every handler finds. */
export type Door = { Variables: { readonly visitor: Visitor; readonly requestId: string } };
export type App = OpenAPIHono<Door>;
