// `stepwell lock approve`: somebody agrees to what a tool, or a whole server, has become.

import { StepwellError } from "../../error.ts";
import { toChangeDocument } from "../../server/document/server.ts";
import type { ChangedTool } from "../../tool/servers.ts";
import { canAsk, confirm } from "../ask.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { drawChanges } from "../drawn-server.ts";
import { openSession, type Session } from "../session.ts";
import { serverOf } from "../tool-servers.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<server.tool|server …>", isRepeated: true, completes: "server" }],
  flags: {},
  details:
    "Asks the servers first and shows what has changed. At a terminal it asks once more, unless --yes. Steps that wait for the\ntools go on.",
  examples: ["lock approve files.read_file", "lock approve files --yes"],
  async act(call) {
    const { operands, out, usage } = call;
    if (operands.length === 0) throw new StepwellError("USAGE", "Say which tool, or which server.", { hint: usage });
    await using session = await openSession(call);
    const changes = await findChanges(session, operands);
    const approved = (await isWanted(changes, call)) ? await approveShown(session, operands, changes) : [];
    out.tell({
      document: approved.map(toChangeDocument),
      ids: approved.map(({ tool }) => tool),
      lines: () => approved.map(({ tool }) => tool),
    });
    const told = approved.length === 0 ? "Nothing has changed" : `agreed on ${approved.length}`;
    if (!out.isJson) out.say(changes.length > 0 && approved.length === 0 ? "Nothing was agreed on." : `${told}.`);
    return 0;
  },
});

async function findChanges({ engine }: Session, names: readonly string[]): Promise<readonly ChangedTool[]> {
  await Promise.all([...new Set(names.map(serverOf))].map((key) => engine.servers.test(key)));
  const changes = await engine.lock.changes();
  return changes.filter(({ tool, server }) => names.includes(tool) || names.includes(server));
}

async function isWanted(changes: readonly ChangedTool[], call: Call): Promise<boolean> {
  const { out } = call;
  if (changes.length === 0) return true;
  for (const line of drawChanges(changes, out.look)) out.say(line);
  // A script that names what it agrees to has said it.
  return !canAsk(call) || (await confirm("Agree to this?", call));
}

/** What was shown, and nothing else: a tool may have become something else while somebody was reading. */
async function approveShown(
  { engine }: Session,
  names: readonly string[],
  changes: readonly ChangedTool[],
): Promise<readonly ChangedTool[]> {
  const approved: ChangedTool[] = [];
  for (const { tool, hash } of changes) approved.push(...(await engine.lock.approve(tool, { expected: hash })));
  // Also where nothing has changed: steps may wait since somebody has agreed in another copy of the lock file.
  for (const name of new Set(names))
    if (!changes.some(({ tool }) => tool === name)) await engine.lock.approve(name, { expected: null });
  return approved;
}
