// The documentation, which comes with the page: files beside it, for everybody who gets the page.

import { queryOptions } from "@tanstack/react-query";
import { Problem } from "./request.ts";

export type DocsEntry = { readonly name: string; readonly title: string };

async function readFile(path: string): Promise<string> {
  const response = await fetch(path, { headers: { accept: "text/markdown, application/json" } });
  if (response.ok) return response.text();
  throw new Problem({
    code: "NO_SUCH_ROUTE",
    status: response.status,
    message: "There is no such page of the documentation.",
    hint: null,
    details: {},
  });
}

/** All pages, by their titles. */
export const docsQuery = queryOptions({
  queryKey: ["docs"],
  queryFn: async (): Promise<readonly DocsEntry[]> => JSON.parse(await readFile("/docs/index.json")),
  staleTime: Number.POSITIVE_INFINITY,
});

/** One, as it is written. */
export function docsPageQuery(name: string) {
  return queryOptions({
    queryKey: ["docs", name],
    queryFn: (): Promise<string> => readFile(`/docs/${encodeURIComponent(name)}.md`),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
