// Servers and what is agreed on about them, as the engine is told. Pure.

import { hashOf } from "../../flow/hash.ts";
import type { ChangedTool, LockView, ServerView } from "../servers.ts";
import type { RefusedServer } from "./config.ts";
import { toCanonical } from "./drift.ts";
import type { FoundChange } from "./lock.ts";
import type { LockedServers } from "./lock-text.ts";

export function toChanged({ server, tool, kind, lines, hash, since }: FoundChange): ChangedTool {
  return { server, tool: `${server}.${tool}`, kind, lines, hash, since };
}

export function toLockView(file: string | null, locked: LockedServers): LockView {
  const servers = [...locked].map(([key, { target, tools }]) => ({
    key,
    target,
    tools: [...tools.values()].map((tool) => ({ name: `${key}.${tool.name}`, sha256: hashOf(toCanonical(tool)) })),
  }));
  return { file, servers };
}

export function toRefusedView({ key, file, problem }: RefusedServer): Omit<ServerView, "isAdded"> {
  return {
    key,
    status: "refused",
    problem,
    transport: null,
    target: "",
    command: null,
    file,
    era: null,
    protocol: null,
    latencyMs: null,
    lastWords: null,
    name: null,
    version: null,
    toolCount: 0,
    changedCount: 0,
    restarts: 0,
    callsUnderWay: 0,
    strayLines: 0,
  };
}
