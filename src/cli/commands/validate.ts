// `stepwell validate`: what is wrong with flows, and with --fix what can be mended, mended.

import { writeFileSync } from "node:fs";
import { errorCodes, StepwellError } from "../../error.ts";
import type { Finding } from "../../flow/finding.ts";
import type { JsonObject } from "../../flow/json.ts";
import { defineCommand, type Command } from "../command.ts";
import { drawFinding } from "../finding-lines.ts";
import { readFlowFile } from "../flow-file.ts";
import { paint } from "../table.ts";
import type { Look } from "../terminal.ts";

type Checked = {
  readonly file: string;
  readonly ok: boolean;
  readonly notation: string | null;
  readonly findings: readonly Finding[];
  readonly fixed: readonly Finding[];
};

export const command: Command = defineCommand({
  operands: [{ name: "<file …>", completes: "file", isRepeated: true }],
  flags: { fix: { about: "write what the validator proposes into the files" } },
  details: "Exit code 6 when one of them has errors; warnings are no errors. - reads standard input.",
  isNobodys: true,
  isLocal: true,
  examples: ["validate flows/*.yaml", "validate hello.yaml --fix", "validate hello.yaml --json"],
  async act({ operands, values, out, usage }) {
    if (operands.length === 0) throw new StepwellError("USAGE", "Say which files to check.", { hint: usage });
    if (values.fix && operands.includes("-"))
      throw new StepwellError("USAGE", "Standard input cannot be mended in its place.", { hint: usage });
    const texts = operands.map((file) => ({ file, text: readFlowFile(file, usage) }));
    const checked: Checked[] = [];
    for (const { file, text } of texts) checked.push(await check(file, text, values.fix));
    out.tell({
      document: checked.map(toDocument),
      ids: checked.filter(({ ok }) => !ok).map(({ file }) => file),
      lines: (look) => checked.flatMap((each) => drawChecked(each, look)),
    });
    return checked.every(({ ok }) => ok) ? 0 : errorCodes.FLOW_INVALID.exitCode;
  },
});

async function check(file: string, text: string, isFix: boolean): Promise<Checked> {
  const { validate } = await import("../../flow/validate/validate.ts");
  if (!isFix) return { file, fixed: [], ...validate(text) };
  const { mendFlow } = await import("../mend-flow.ts");
  const { text: mended, fixed } = mendFlow(text);
  if (mended !== text) writeFileSync(file, mended);
  return { file, fixed, ...validate(mended) };
}

function toDocument({ file, ok, notation, findings, fixed }: Checked): JsonObject {
  return { file, ok, notation, findings: findings.map(toPlain), fixed: fixed.map(toPlain) };
}

/** Without what is undefined. */
function toPlain(found: Finding): JsonObject {
  return JSON.parse(JSON.stringify(found)) as JsonObject;
}

function drawChecked({ file, ok, notation, findings, fixed }: Checked, look: Look): readonly string[] {
  const verdict = ok ? paint("valid", "green", look) : paint("invalid", "red", look);
  return [
    `${paint(file, "bold", look)}  ${notation ?? "no flow"}, ${verdict}${fixed.length === 0 ? "" : `, ${fixed.length} fixed`}`,
    ...findings.flatMap((found) => drawFinding(found, look)),
  ];
}
