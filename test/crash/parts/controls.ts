// Controls: what must fail, and be seen to fail. A harness that finds nothing here would find nothing anywhere.

import { fileURLToPath } from "node:url";
import { report, withFile, type PartOptions, type PartReport } from "../part.ts";
import { problemsOf } from "../judge.ts";
import { lay } from "./kills.ts";
import { cutRepeatedly } from "./power.ts";

const plantedFile = fileURLToPath(new URL("../planted/call-before-commit.ts", import.meta.url));

export async function runControls(options: PartOptions): Promise<PartReport> {
  const lines: string[] = [];
  const problems: string[] = [];
  const cut = await cutRepeatedly({ ...options, rounds: Math.min(options.rounds, 5) }, "fast");
  if (typeof cut === "string") lines.push(`power cut with durability "fast": SKIPPED: ${cut}`);
  else {
    lines.push(
      `power cut with durability "fast": ${cut.lost} lost of ${cut.acknowledged + cut.effects} acknowledgements and effects, in ${cut.roundsWithLoss} cuts: ${cut.lost > 0 ? "fails, as it must" : "NOT SEEN"}`,
    );
    if (cut.lost === 0) problems.push('power cuts with durability "fast" showed no loss: the cut cuts nothing');
  }
  const siege = await withFile((place) => lay(place, { ...options, kills: 12, runs: 120 }, { imports: [plantedFile] }));
  const found = problemsOf(siege.verdict);
  const example = siege.verdict.lost[0] ?? "";
  lines.push(
    `a build that calls before it commits: ${siege.verdict.lost.length} lost, ${found.length} problems in ${siege.kills} kills: ${siege.verdict.lost.length > 0 ? "fails, as it must" : "NOT SEEN"}${example === "" ? "" : ` (${example})`}`,
  );
  if (siege.verdict.lost.length === 0) problems.push("a build that calls before it commits was not caught");
  return report("controls", lines, problems);
}
