// What the server offers to programs, read from its own description.

import { queryOptions } from "@tanstack/react-query";
import { isObject, type Json } from "../model/json.ts";
import { ask } from "./request.ts";

export type Route = {
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly tag: string;
  readonly right: string;
};

export const routesQuery = queryOptions({
  queryKey: ["routes"],
  queryFn: async ({ signal }): Promise<readonly Route[]> => toRoutes(await ask<Json>("/api/openapi.json", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

function toRoutes(description: Json): readonly Route[] {
  const paths =
    isObject(description) && isObject(description["paths"] ?? null)
      ? (description["paths"] as { readonly [path: string]: Json })
      : {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, told]) => {
      if (!isObject(told)) return [];
      const tags = told["tags"];
      const tag = Array.isArray(tags) && typeof tags[0] === "string" ? tags[0] : "Others";
      return [
        {
          method: method.toUpperCase(),
          path,
          about: textOf(told["summary"]),
          tag,
          right: textOf(told["x-stepwell-right"]),
        },
      ];
    }),
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
