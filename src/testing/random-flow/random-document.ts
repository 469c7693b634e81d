// What a flow carries besides its steps.

import type { JsonObject } from "../../flow/json.ts";
import type { Random } from "../random.ts";
import { randomRetry } from "./write-policies.ts";
import { maybe } from "./writing.ts";

/** `hasResources`: expressions may read one. */
export function randomHead(random: Random, hasResources: boolean): JsonObject {
  return {
    ...maybe(random, 0.8, () => ({ format: "stepwell/v1" })),
    ...maybe(random, 0.8, () => ({ name: random.pick(["refund", "news of the day", "review-7"]) })),
    ...maybe(random, 0.3, () => ({ description: "Made by chance" })),
    ...maybe(random, 0.5, () => ({ input: inputSchema })),
    ...maybe(random, 0.3, () => ({ defaults: randomDefaults(random) })),
    ...maybe(random, 0.2, () => ({ cancel: random.pick(["anywhere", "declared", "never"]) })),
    ...maybe(random, 0.2, () => ({ timeout: "30d" })),
    ...maybe(random, 0.2, () => ({ strict: random.chance(0.5) })),
    ...maybe(random, 0.2, () => ({ triggers: randomTriggers(random) })),
    ...(hasResources ? { resources: { feed: { type: "rss", url: "https://example.org/feed" } } } : {}),
    ...maybe(random, 0.1, () => ({ requires_2fa: random.chance(0.5) })),
    ...maybe(random, 0.1, () => ({ "x-ui": { zoom: 1.5 } })),
  };
}

/** Names everything that random expressions read of the input. */
const inputSchema: JsonObject = {
  type: "object",
  properties: {
    order: { type: "string" },
    amount: { type: "number", minimum: 0 },
    topic: { type: "string" },
    due: { type: "string" },
    urgent: { type: "boolean" },
    items: { type: "array", items: { type: "string" } },
    customer: { type: "object", properties: { email: { type: "string" } } },
  },
};

function randomDefaults(random: Random): JsonObject {
  return {
    ...maybe(random, 0.7, () => ({ input: { amount: random.integer(10), urgent: false } })),
    ...maybe(random, 0.5, () => ({ timeout: "60s" })),
    ...maybe(random, 0.5, () => ({ retry: randomRetry(random) })),
  };
}

function randomTriggers(random: Random): readonly JsonObject[] {
  const cron = { cron: "0 8 * * 1-5", zone: "Europe/Berlin", missed: "once", overlap: "skip" };
  return [{ cron: "*/15 * * * *" }, cron, { webhook: "refund" }].slice(random.integer(3));
}
