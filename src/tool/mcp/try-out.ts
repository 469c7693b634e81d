// Whether a server works that nobody has added yet: it is started, asked for its tools and ended, beside the others and
// without a word of it being kept.

import { ServerLock } from "./lock.ts";
import { McpServers, type McpServersParts } from "./server-pool.ts";
import type { ServerEntry } from "./contract.ts";
import { withoutInvisible } from "./shown-text.ts";
import { describeTarget } from "./target-text.ts";
import type { TriedServer } from "../servers.ts";

/** `npx -y` may have to fetch the program first. */
const beginMs = 60_000;

export type TryOutParts = Pick<McpServersParts, "resolve" | "clock" | "mask" | "ownStore" | "version" | "left"> & {
  readonly now: () => number;
  /** Told of what runs, for whoever has to end it. */
  readonly onOpen: (pool: McpServers) => void;
};

export async function tryOut(given: ServerEntry, parts: TryOutParts): Promise<TriedServer> {
  const entry = { ...given, isDisabled: false, timeoutMs: given.timeoutMs ?? beginMs };
  const lock = new ServerLock({
    path: null,
    entries: [entry],
    now: parts.now,
    onProblem: () => {},
    onAgreed: () => {},
  });
  // What went wrong stands in its health.
  const pool = new McpServers({ ...parts, entries: [entry], pins: lock, onTools: () => {}, onProblem: () => {} });
  parts.onOpen(pool);
  try {
    const { status, problem, name, version, era } = await pool.test(entry.key);
    const tools = lock.known(entry.key).map((tool) => ({
      name: tool.name,
      description: tool.description === null ? null : withoutInvisible(tool.description),
    }));
    const ok = status === "ready";
    const why = ok ? null : (problem ?? "It does not answer.");
    return { ok, problem: why, target: describeTarget(entry), name, version, era, tools: ok ? tools : [] };
  } finally {
    await pool.stop();
  }
}
