// One who listens to the live events of a service, block by block.

import type { Service } from "./service.ts";

export type Event = { readonly event: string; readonly id: string; readonly data: string };

export type Client = {
  readonly response: Response;
  /** Whole blocks that have come, and none before. */
  readonly take: () => Promise<readonly string[]>;
  readonly takeEvents: () => Promise<readonly Event[]>;
  readonly cancel: () => Promise<void>;
  readonly isOver: () => boolean;
};

export async function connect(
  service: Service,
  path = "/api/events",
  headers: Record<string, string> = {},
): Promise<Client> {
  const request = new Request(`http://localhost${path}`, { headers: { host: "localhost", ...headers } });
  const response = await service.fetch(request);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let isOver = false;
  let isReading = false;
  const read = async (): Promise<void> => {
    isReading = true;
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) text += next.value;
    isOver = true;
  };
  const take = async (): Promise<readonly string[]> => {
    if (!isReading) void read();
    await service.settle();
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    return blocks;
  };
  return {
    response,
    take,
    takeEvents: async () => (await take()).filter((block) => block.includes("event:")).map(toEvent),
    cancel: async () => {
      await reader?.cancel();
      await service.settle();
    },
    isOver: () => isOver,
  };
}

export function toEvent(block: string): Event {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "mu").exec(block)?.[1] ?? "";
  return { event: field("event"), id: field("id"), data: field("data") };
}
