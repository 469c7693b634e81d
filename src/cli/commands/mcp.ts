// `stepwell mcp`: our workflows as tools for the program that has started us, over standard input and output. Stdout is
// the protocol's alone; what there is to say goes to stderr.

import { StepwellError } from "../../error.ts";
import { parseDuration } from "../../flow/duration.ts";
import type { Grant } from "../../server/mcp/caller.ts";
import { defineCommand, type Command } from "../command.ts";
import { openSession } from "../session.ts";
import { onStopSignal } from "../signals.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {
    approve: { about: "it may answer gates, in your name" },
    save: { about: "it may save and delete workflows" },
    wait: { value: "30s", about: "how long a call waits for its run; then it says how to come back" },
  },
  isLocal: true,
  details:
    "For programs that start their MCP servers themselves: stepwell mcp config prints what they need. It reads and runs; " +
    "more only when you say so. It ends with its input. A service has the same at /mcp.",
  examples: ["mcp", "mcp --approve --store stepwell.db", "mcp --wait 10s"],
  async act(call) {
    const { values, out } = call;
    const waitMs = readWait(values.wait);
    const [{ Engine }, { createHouse }, { createCaller, remedyByFlag }, { serveOverStdio }, { findLocalOwner }] =
      await Promise.all([
        import("../../engine/engine.ts"),
        import("../../server/mcp/house.ts"),
        import("../../server/mcp/caller.ts"),
        import("../../server/mcp/stdio.ts"),
        import("../../server/visitor.ts"),
      ]);
    const ending = new AbortController();
    using _ = onStopSignal(() => ending.abort());
    await using session = await openSession({ ...call, values: { ...values, as: undefined } });
    const { engine } = session;
    if (!(engine instanceof Engine))
      throw new StepwellError("USAGE", "stepwell mcp works on a store.", { hint: "A service has MCP at /mcp." });
    const isOpen = await engine.access.isOpen();
    const user = values.as ?? (isOpen ? findLocalOwner() : session.user);
    const grants: readonly Grant[] = [
      "read",
      "run",
      ...(values.approve ? (["approve"] as const) : []),
      ...(values.save ? (["save"] as const) : []),
    ];
    const asker = { user, via: "mcp", scopes: null };
    const caller = await createCaller(engine, { asker, source: "mcp stdio", grants, remedy: remedyByFlag });
    const house = createHouse(engine, {
      waitMs,
      onProblem: (error) => out.say(`problem: ${error instanceof Error ? error.message : String(error)}`),
    });
    out.say(`mcp: ${session.store}, as ${user}: ${grants.join(", ")}`);
    const streams = { input: process.stdin, output: process.stdout };
    const trouble = await serveOverStdio(house, { caller, ...streams, signal: ending.signal });
    if (trouble === null) return 0;
    out.say(trouble);
    return 1;
  },
});

function readWait(text = "30s"): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new StepwellError("USAGE", `"${text}" is no time to wait.`, { hint: "--wait 30s" });
}
