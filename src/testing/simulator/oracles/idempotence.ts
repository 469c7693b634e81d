// A message that is decided again changes nothing: the same answer may be sent twice, by a network, a client, a tool.

import type { Oracle } from "./oracle.ts";

export const messagesAreIdempotent: Oracle = {
  name: "messages are idempotent",
  judge: ({ write, memory }) => {
    const { message, decision } = write;
    const isAgain = memory.messages.has(message.id);
    memory.messages.add(message.id);
    // What an alarm finds depends on the time; who admits gives each word an id of its own.
    if (!isAgain || message.kind === "alarm" || message.kind === "admit") return undefined;
    const { run, rows, signals, visits, scopes } = decision.changes;
    const changed = rows.length + visits.length + scopes.length + decision.calls.length + decision.sends.length;
    const isSame = changed === 0 && run === null && signals === null;
    return isSame ? undefined : `${message.kind} ${message.id} changed something when it was decided again`;
  },
};
