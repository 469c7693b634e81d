// `stepwell rate`: says what somebody thinks of a run or of one of its steps; without a rating, shows what can be rated.

import type { NumberedStep } from "../../engine/outcomes.ts";
import type { RunId } from "../../run/model.ts";
import { toNumberedDocument } from "../../server/document/outcome.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { openReader } from "../reading-window.ts";
import { readRunId, selectRun } from "../select.ts";
import { openSession } from "../session.ts";
import { drawTable, type Cell } from "../table.ts";
import { openView } from "../open-view.ts";

export const command: Command = defineCommand({
  operands: [
    { name: "<run>", completes: "run" },
    { name: "[step]", completes: "step-name" },
    { name: "[up|down]", completes: ["up", "down"] },
    { name: "[text …]", isRepeated: true },
  ],
  flags: {},
  examples: ["rate 1774093092891", "rate 1774093092891 up", "rate 1774093092891 2 down 'too long'"],
  details:
    "up may also be + yes ok good 👍, and down - no bad nope 👎. A step is named by its number, its name or its id.",
  async act(call) {
    const text = readRunId(call);
    const words = call.operands.slice(1);
    const run = await findRun(call, text, words.length === 0);
    if (run === null) return 0;
    const { findQuality, parseQuality } = await import("../../engine/rating.ts");
    const isWhole = words.length === 1 || findQuality(words[0] ?? "") !== undefined;
    const [step, said, ...feedback] = isWhole ? [undefined, ...words] : words;
    const quality = parseQuality(said);
    const { out } = call;
    await using session = await openSession(call);
    const rated = await session.engine.outcomes.rate(run, {
      quality,
      by: session.user,
      ...(step === undefined ? {} : { step }),
      ...(feedback.length === 0 ? {} : { feedback: feedback.join(" ") }),
    });
    out.tell({ document: { id: run, step_id: rated, status: "rated" }, lines: () => [String(rated ?? run)] });
    out.say(`rated ${quality}: ${rated === null ? `run ${run}` : `step ${rated} of run ${run}`}`);
    return 0;
  },
});

/** null: what can be rated was shown. */
async function findRun(call: Call, text: string, isShown: boolean): Promise<RunId | null> {
  await using view = await openView(call);
  const run = await selectRun(view, text, call);
  if (!isShown) return run;
  const steps = await listSteps(call, run);
  call.out.tell({
    document: steps.map(toNumberedDocument),
    ids: steps.map(({ step }) => step),
    lines: (look) =>
      steps.length === 0
        ? []
        : drawTable({ headings: ["NO", "STEP", "TOOL", "STATUS", "RATED", "TEXT"], rows: steps.map(toCells) }, look),
  });
  if (steps.length === 0 && !call.out.isJson) call.out.say(`Run ${run} has called no tool.`);
  return null;
}

async function listSteps(call: Call, run: RunId): Promise<readonly NumberedStep[]> {
  await using reader = await openReader(call);
  return await (await reader.outcomes()).steps(run);
}

function toCells({ number, name, tool, status, quality, feedback }: NumberedStep): readonly Cell[] {
  const style = quality === "up" ? "green" : quality === "down" ? "red" : "gray";
  const rated: Cell = { text: quality === "neutral" ? "-" : quality, style };
  return [{ text: String(number) }, { text: name }, { text: tool }, { text: status }, rated, { text: feedback ?? "" }];
}
