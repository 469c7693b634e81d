// `stepwell examples`: reads the example flows (or the files that are named), says what the validator thinks of them and
// draws them. stdout is the drawing, stderr the complaint.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { errorCodes, StepwellError } from "../error.ts";
import { drawAscii } from "../flow/draw/ascii.ts";
import { drawMermaid } from "../flow/draw/mermaid.ts";
import { drawSvg } from "../flow/draw/svg.ts";
import type { Finding } from "../flow/finding.ts";
import type { Plan } from "../flow/plan.ts";
import { validate, type Report } from "../flow/validate/validate.ts";
import { parseOptions } from "./arguments.ts";
import { examplesUsage } from "./usage.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const isTerminal = process.stdout.isTTY;
type Form = "ascii" | "mermaid" | "svg";
type Wish = { readonly form: Form; readonly paths: readonly string[] };

function readWish(args: readonly string[]): Wish {
  const { values, positionals } = parseOptions(args, { as: { type: "string", default: "ascii" } }, examplesUsage);
  const form = values.as;
  if (form === "ascii" || form === "mermaid" || form === "svg") return { form, paths: positionals };
  throw new StepwellError("USAGE", `There is no drawing "${form}".`, { hint: examplesUsage });
}

function filesBelow(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .toSorted();
  if (files.length > 0) return files;
  throw new StepwellError("FILE_NOT_FOUND", `There is no .json, .yaml or .yml file in the folder "${folder}".`, {
    hint: examplesUsage,
  });
}

function filesAt(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new StepwellError("FILE_NOT_FOUND", `There is no file or folder "${path}".`, { hint: examplesUsage });
  }
  return found.isDirectory() ? filesBelow(path) : [path];
}

/** The demo flows come last: the end of a long output is what people see. */
function filesToShow(paths: readonly string[]): readonly string[] {
  const wanted = paths.length > 0 ? paths : ["language", "seeds", "demo"].map((name) => join(root, "examples", name));
  return wanted.flatMap(filesAt);
}

function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return isTerminal ? styleText(style, text) : text;
}

function showFinding({ severity, code, message, line, column, pointer }: Finding): string {
  const place = line === undefined ? pointer : `${line}:${column ?? 1}`;
  const word = severity === "error" ? styled("red", "error") : styled("yellow", "warning");
  return `  ${place}  ${word} ${code}: ${message}`;
}

function draw(plan: Plan, form: Form): string {
  switch (form) {
    case "ascii":
      return drawAscii(plan, { unicode: true, colour: isTerminal, width: process.stdout.columns ?? 100 });
    case "mermaid":
      return drawMermaid(plan);
    case "svg":
      return drawSvg(plan);
  }
}

function showFile(path: string, form: Form): Report {
  const report = validate(readFileSync(path, "utf8"));
  const verdict = report.ok ? styled("green", "valid") : styled("red", "invalid");
  const heading = [`${styled("bold", relative(process.cwd(), path))}  ${report.notation ?? "no flow"}, ${verdict}`];
  const text = [...heading, ...report.findings.map(showFinding)].join("\n");
  // A drawing that a program reads on must stand alone.
  if (form === "ascii") console.log(text);
  else console.error(text);
  if (report.plan !== null) console.log(`${form === "ascii" ? "\n" : ""}${draw(report.plan, form).trimEnd()}\n`);
  return report;
}

export function showExamples(args: readonly string[]): number {
  const { form, paths } = readWish(args);
  const reports = filesToShow(paths).map((path) => showFile(path, form));
  if (form !== "ascii") return reports.every((report) => report.ok) ? 0 : errorCodes.FLOW_INVALID.exitCode;
  const invalid = reports.filter((report) => !report.ok).length;
  const warnings = reports.flatMap((report) => report.findings).filter((found) => found.severity === "warning").length;
  console.log(`${reports.length} flows: ${reports.length - invalid} valid, ${invalid} invalid, ${warnings} warnings`);
  if (paths.length === 0) console.log("Draw one of your own: npm start -- examples path/to/flow.yaml");
  return invalid === 0 ? 0 : errorCodes.FLOW_INVALID.exitCode;
}
