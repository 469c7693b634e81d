// Server-sent events, block by block, from the pieces in which they come.

export type StreamEvent = {
  /** null: a sign of life. */
  readonly event: string | null;
  readonly data: string;
  /** Where to go on; null: it says none. */
  readonly id: string | null;
};

export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
  const decoder = new TextDecoder();
  let waiting = "";
  for await (const piece of body) {
    waiting += decoder.decode(piece, { stream: true });
    const blocks = waiting.split(/\r?\n\r?\n/u);
    // The last one is not over yet.
    waiting = blocks.pop() ?? "";
    for (const block of blocks) yield parseBlock(block);
  }
}

function parseBlock(block: string): StreamEvent {
  const fields = block.split(/\r?\n/u).flatMap((line) => {
    const [, name, value] = /^([a-z]+): ?(.*)$/u.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
  const last = (wanted: string): string | null => fields.findLast(({ name }) => name === wanted)?.value ?? null;
  const data = fields.flatMap(({ name, value }) => (name === "data" ? [value] : [])).join("\n");
  return { event: last("event"), data, id: last("id") };
}
