// What both apps have in common: a flow with a person in it, and an engine with the tools that it calls.
import { openEngine, type Engine, type JsonObject } from "stepwell";

export const order: JsonObject = {
  name: "order",
  input: {
    type: "object",
    required: ["item", "count"],
    properties: { item: { type: "string" }, count: { type: "integer", minimum: 1 } },
  },
  start: "reserve",
  steps: {
    reserve: { tool: "reserve", args: { item: "{{ input.item }}", count: "{{ input.count }}" }, next: "review" },
    review: { gate: { title: "Ship {{ input.count }} × {{ input.item }}?" }, next: "ship" },
    ship: { tool: "ship", args: { reservation: "{{ steps.reserve.result }}" }, done: true },
  },
};

export function openOrders(): Promise<Engine> {
  return openEngine({
    store: process.env["STORE"] ?? "orders.db",
    tools: {
      reserve: ({ item, count }: { item: string; count: number }) => `${item}-${count}`,
      ship: ({ reservation }: { reservation: string }) => ({ parcel: `parcel of ${reservation}` }),
    },
  });
}
