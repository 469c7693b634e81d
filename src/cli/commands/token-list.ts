// `stepwell token list`: without their texts, which nobody has any more.

import type { Token } from "../../access/token.ts";
import { toTokenDocument } from "../../server/document/access.ts";
import { defineCommand, type Command } from "../command.ts";
import { openReader } from "../reading-window.ts";
import { drawTable, type Cell } from "../table.ts";
import { createTimeFormat } from "../time.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {},
  examples: ["token list"],
  async act(call) {
    const { values, out } = call;
    const format = createTimeFormat(values.tz);
    await using reader = await openReader(call);
    const tokens = await (await reader.access()).tokens.list();
    const now = Date.now();
    out.tell({
      document: tokens.map(toTokenDocument),
      lines: (look) => {
        if (tokens.length === 0) return [];
        const rows = tokens.map((token) => toCells(token, now, format));
        return drawTable({ headings: ["TOKEN", "USER", "STATE", "EXPIRES", "LAST USED", "ONLY", "NAME"], rows }, look);
      },
    });
    if (tokens.length === 0 && !out.isJson) out.say("There are no tokens.");
    return 0;
  },
});

function toCells(token: Token, now: number, format: (at: number) => string): readonly Cell[] {
  const { id, user, name, scopes, expiresAt, lastUsedAt } = token;
  const at = (instant: number | null, none: string): Cell => ({ text: instant === null ? none : format(instant) });
  return [
    { text: id },
    { text: user },
    stateOf(token, now),
    at(expiresAt, "never"),
    at(lastUsedAt, "never"),
    { text: scopes?.join(", ") ?? "-" },
    { text: name },
  ];
}

function stateOf({ revokedAt, expiresAt }: Token, now: number): Cell {
  if (revokedAt !== null) return { text: "revoked", style: "gray" };
  return expiresAt !== null && expiresAt <= now ? { text: "expired", style: "gray" } : { text: "good", style: "green" };
}
