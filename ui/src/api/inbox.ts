// What waits for a person.

import { queryOptions } from "@tanstack/react-query";
import type { InboxItemDocument } from "../../../src/server/contract.ts";
import type { InboxAction, InboxItem } from "../model/run.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { ask } from "./request.ts";
import { toInboxItem } from "./runs.ts";

export const inboxQuery = queryOptions({
  queryKey: ["inbox", "open"],
  queryFn: async ({ signal }): Promise<readonly InboxItem[]> => {
    const found = await ask<readonly InboxItemDocument[]>("/api/inbox", { query: { limit: 200 }, signal });
    return found.map(toInboxItem);
  },
});

/** `more`: what a person has said beside it, such as a comment or the fields of a form. */
export function answer({ method, path, body }: InboxAction, more: JsonObject = {}): Promise<unknown> {
  const known = isObject(body) ? body : {};
  return ask(path, method === "DELETE" ? { method } : { method, body: { ...known, ...more } });
}
