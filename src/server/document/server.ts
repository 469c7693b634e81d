// Servers that bring tools, and what is agreed on about them, as programs read it.

import type { ChangedTool, LockView, ServerView } from "../../tool/servers.ts";
import type { InboxItemDocument } from "../contract/inbox.ts";
import type { ChangedToolDocument, LockDocument, ServerDocument } from "../contract/tool.ts";

export function toServerDocument(server: ServerView): ServerDocument {
  return {
    key: server.key,
    status: server.status,
    problem: server.problem,
    transport: server.transport,
    target: server.target,
    command: server.command,
    file: server.file,
    is_added: server.isAdded,
    era: server.era,
    protocol: server.protocol,
    latency_ms: server.latencyMs,
    last_words: server.lastWords,
    name: server.name,
    version: server.version,
    tool_count: server.toolCount,
    changed_count: server.changedCount,
    restarts: server.restarts,
    calls_under_way: server.callsUnderWay,
    stray_lines: server.strayLines,
  };
}

export function toChangeDocument({ server, tool, kind, lines, hash, since }: ChangedTool): ChangedToolDocument {
  return { server, tool, kind, lines, hash, since };
}

export function toLockDocument({ file, servers }: LockView, changes: readonly ChangedTool[]): LockDocument {
  return {
    file,
    servers: servers.map(({ key, target, tools }) => ({
      key,
      target,
      tools: tools.map(({ name, sha256 }) => ({ name, sha256 })),
    })),
    changes: changes.map(toChangeDocument),
  };
}

/** A changed tool among what waits for a person: no run's in particular. */
export function toChangedItem({ server, tool, kind, lines, hash, since }: ChangedTool): InboxItemDocument {
  return {
    kind: "changed_tool",
    workflow_id: null,
    uid: null,
    workflow: null,
    step_id: null,
    step: null,
    title: `The tool "${tool}" is not what was agreed on (${kind}); nothing calls it until somebody agrees`,
    message: lines.join("\n"),
    hash: null,
    created_by: null,
    about: null,
    since,
    actions: [{ method: "POST", path: "/api/lock/approve", body: { name: tool, hash } }],
    gate: null,
    call: null,
    crossroads: null,
    change: { server, tool, kind, lines },
  };
}
