// `stepwell examples`: reads the example flows (or the files that are named), says what the validator thinks of them and
// draws them. stdout is the drawing, stderr the complaint.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCodes, StepwellError } from "../../error.ts";
import type { Plan } from "../../flow/plan.ts";
import type { Report } from "../../flow/validate/validate.ts";
import { defineCommand, type Call, type Command } from "../command.ts";
import { drawFinding } from "../finding-lines.ts";
import { paint } from "../table.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export const command: Command = defineCommand({
  operands: [{ name: "[file or folder …]", completes: "file", isRepeated: true }],
  flags: { form: { value: "ascii|mermaid|svg", about: "how to draw them", choices: ["ascii", "mermaid", "svg"] } },
  isNobodys: true,
  isLocal: true,
  examples: ["examples", "examples examples/demo/refund.yaml"],
  async act(call) {
    const { operands, values, out, usage } = call;
    const files = filesToShow(operands, usage);
    const reports: Shown[] = [];
    for (const file of files) reports.push(await readFile(file));
    if (out.isJson) out.tell({ document: reports.map(toDocument), lines: () => [] });
    else for (const shown of reports) await showFile(shown, values.form ?? "ascii", call);
    const invalid = reports.filter(({ report }) => !report.ok).length;
    const warnings = reports
      .flatMap(({ report }) => report.findings)
      .filter((found) => found.severity === "warning").length;
    out.say(`${reports.length} flows: ${reports.length - invalid} valid, ${invalid} invalid, ${warnings} warnings`);
    if (operands.length === 0) out.say("Draw one of your own: stepwell graph path/to/flow.yaml");
    return invalid === 0 ? 0 : errorCodes.FLOW_INVALID.exitCode;
  },
});

type Shown = { readonly file: string; readonly report: Report };

async function readFile(path: string): Promise<Shown> {
  const { validate } = await import("../../flow/validate/validate.ts");
  return { file: relative(process.cwd(), path), report: validate(readFileSync(path, "utf8")) };
}

function toDocument({ file, report }: Shown): {
  readonly file: string;
  readonly ok: boolean;
  readonly notation: string | null;
} {
  return { file, ok: report.ok, notation: report.notation };
}

/** The demo flows come last: the end of a long output is what people see. */
function filesToShow(paths: readonly string[], usage: string): readonly string[] {
  const wanted = paths.length > 0 ? paths : ["language", "seeds", "demo"].map((name) => join(root, "examples", name));
  return wanted.flatMap((path) => filesAt(path, usage));
}

function filesAt(path: string, usage: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new StepwellError("FILE_NOT_FOUND", `There is no file or folder "${path}".`, { hint: usage });
  return found.isDirectory() ? filesBelow(path, usage) : [path];
}

function filesBelow(folder: string, usage: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .toSorted();
  if (files.length > 0) return files;
  throw new StepwellError("FILE_NOT_FOUND", `There is no .json, .yaml or .yml file in the folder "${folder}".`, {
    hint: usage,
  });
}

/** A drawing that a program reads on must stand alone. */
async function showFile({ file, report }: Shown, form: string, { out }: Call): Promise<void> {
  const { look } = out;
  const verdict = report.ok ? paint("valid", "green", look) : paint("invalid", "red", look);
  const heading = `${paint(file, "bold", look)}  ${report.notation ?? "no flow"}, ${verdict}`;
  const talk = form === "ascii" ? out.print : out.say;
  for (const line of [heading, ...report.findings.flatMap((found) => drawFinding(found, look))]) talk(line);
  if (report.plan === null) return;
  if (form === "ascii") out.print("");
  out.print(`${(await draw(report.plan, form, out.look)).trimEnd()}\n`);
}

async function draw(plan: Plan, form: string, look: Call["out"]["look"]): Promise<string> {
  if (form === "mermaid") return (await import("../../flow/draw/mermaid.ts")).drawMermaid(plan);
  if (form === "svg") return (await import("../../flow/draw/svg.ts")).drawSvg(plan);
  const { drawAscii } = await import("../../flow/draw/ascii.ts");
  return drawAscii(plan, { unicode: look.isUnicode, colour: look.isColour, width: Math.min(look.columns, 100) });
}
