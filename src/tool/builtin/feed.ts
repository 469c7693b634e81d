// `feed.fetch`: news of an RSS or Atom feed, through the same guards as `http.request`.

import type { JsonObject } from "../../flow/json.ts";
import { defineTool, outcome, type NamedResult, type ToolContext } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments, readCount, readText } from "./arguments.ts";
import { decodeFeed } from "./feed/charset.ts";
import { parseInstant } from "./feed/instant.ts";
import { parseFeed } from "./feed/parse.ts";
import { refuseErrorStatus } from "./http.ts";
import { charsetOf } from "./http/content.ts";
import { HttpError } from "./http/failure.ts";
import type { GuardedFetch } from "./http/guarded-fetch.ts";
import { describeOverflow } from "./overflow.ts";
import { closed, listOf, text, whole } from "./schema.ts";

const itemsMaxUsual = 50;
const itemsMaxMost = 500;
const timeoutMs = 30_000;

const input: JsonObject = closed(
  {
    url: text("Of the feed; http or https, to a listed host"),
    limit: whole("At most so many items, the first ones; 50 unless given", { minimum: 1, maximum: itemsMaxMost }),
    since: { type: ["integer", "string"], description: "Only later ones: milliseconds, or ISO 8601" },
  },
  ["url"],
);

const textOrNull: JsonObject = { type: ["string", "null"] };

const item: JsonObject = closed(
  {
    id: { type: "string" },
    title: { type: "string" },
    link: textOrNull,
    published_at: { type: ["integer", "null"], description: "Milliseconds" },
    author: textOrNull,
    summary: text("As it stands there, often HTML"),
    categories: { type: "array", items: { type: "string" } },
  },
  ["id", "title", "link", "published_at", "author", "summary", "categories"],
);

export function createFeedTool(fetch: GuardedFetch): Tool {
  return defineTool({
    name: "feed.fetch",
    description: "The items of an RSS or Atom feed; outcome items, or empty when there are none",
    effect: "read",
    input,
    output: closed({ title: { type: "string" }, link: textOrNull, items: listOf(item, "As the feed orders them") }, [
      "title",
      "link",
      "items",
    ]),
    outcomes: ["items", "empty"],
    call: (args, context: ToolContext) => fetchFeed(fetch, args, context),
  });
}

async function fetchFeed(fetch: GuardedFetch, args: JsonObject, { signal }: ToolContext): Promise<NamedResult> {
  const itemsMax = readCount(args, "limit", { min: 1, max: itemsMaxMost, otherwise: itemsMaxUsual });
  const since = readSince(args);
  const headers = {
    accept:
      "application/atom+xml, application/rss+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1",
    "accept-encoding": "identity",
    "user-agent": "stepwell",
  };
  const response = await fetch({ url: readText(args, "url"), method: "GET", headers, body: null, signal, timeoutMs });
  refuseErrorStatus(response);
  const source = decodeFeed(response.body, charsetOf(response));
  const feed = await parseFeed(source, { url: response.url, itemsMax, since, signal });
  const overflow = describeOverflow(feed, response.body.byteLength);
  if (overflow !== undefined) {
    throw new HttpError("response_too_large", `The feed ${overflow}. Ask for fewer items: "limit".`);
  }
  return outcome(feed.items.length === 0 ? "empty" : "items", feed);
}

function readSince(args: JsonObject): number {
  const since = args["since"] ?? null;
  if (since === null || since === "") return Number.NEGATIVE_INFINITY;
  const at = typeof since === "number" ? since : typeof since === "string" ? parseInstant(since) : Number.NaN;
  if (Number.isNaN(at)) throw badArguments('"since" must be milliseconds or an ISO 8601 text.');
  return at;
}
