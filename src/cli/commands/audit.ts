// `stepwell audit`: who has changed what, when and from where.

import { toAuditDocument } from "../../server/document/outcome.ts";
import type { AuditEntry } from "../../store/audit.ts";
import { defineCommand, type Command } from "../command.ts";
import { readCursor, readLimit } from "../list-runs.ts";
import { openReader } from "../reading-window.ts";
import { drawTable, type Cell } from "../table.ts";
import { createTimeFormat } from "../time.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {
    user: { value: "NAME", about: "only what this user did" },
    verb: { value: "VERB", about: "only this, such as run.cancel or workflow.save" },
    subject: { value: "ID|NAME", about: "only what was done to this run, step, workflow or user" },
    limit: { value: "N", about: "so many at most; 50 unless given" },
    cursor: { value: "NO", about: "only those older than this one: the last number of the page before" },
  },
  examples: ["audit", "audit --user ann --verb run.cancel --limit 10"],
  async act(call) {
    const { values, out } = call;
    const { user, verb, subject } = values;
    const before = readCursor(values.cursor);
    const query = {
      limitMax: readLimit(values.limit),
      ...(user === undefined ? {} : { user }),
      ...(verb === undefined ? {} : { verb }),
      ...(subject === undefined ? {} : { subject }),
      ...(before === undefined ? {} : { before }),
    };
    const format = createTimeFormat(values.tz);
    await using reader = await openReader(call);
    const entries = await (await reader.access()).audit(query);
    out.tell({
      document: entries.map(toAuditDocument),
      ids: entries.map(({ no }) => no),
      lines: (look) =>
        entries.length === 0
          ? []
          : drawTable(
              {
                headings: ["NO", "WHEN", "WHO", "FROM", "WHAT", "OF", "MORE"],
                rows: entries.map((entry) => toCells(entry, format)),
              },
              look,
            ),
    });
    if (entries.length === 0 && !out.isJson) out.say("Nothing is on record.");
    return 0;
  },
});

function toCells(entry: AuditEntry, format: (at: number) => string): readonly Cell[] {
  const { no, at, user, via, source, verb, subject, details } = entry;
  const who = via === null ? user : `${user} (${via})`;
  const more = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [String(no), format(at), who, source, verb, subject ?? "-", more.join(" ")].map((text) => ({ text }));
}
