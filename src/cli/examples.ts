#!/usr/bin/env node
// `npm start`, until there is an engine to start: reads the example flows (or the files that are named), says what the
// validator thinks of them and draws them.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { drawAscii } from "../flow/draw/ascii.ts";
import type { Finding } from "../flow/finding.ts";
import { validate, type Report } from "../flow/validate/validate.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const isTerminal = process.stdout.isTTY === true;

type Style = Parameters<typeof styleText>[0];

function styled(style: Style, text: string): string {
  return isTerminal ? styleText(style, text) : text;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name))
    .toSorted();
}

/** The demo flows come last: the end of a long output is what people see. */
function filesToShow(wanted: readonly string[]): readonly string[] {
  if (wanted.length > 0) return wanted.flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
  return ["language", "seeds", "demo"].flatMap((folder) => filesBelow(join(root, "examples", folder)));
}

function showFinding({ severity, code, message, line, column, pointer }: Finding): string {
  const place = line === undefined ? pointer : `${line}:${column ?? 1}`;
  const word = severity === "error" ? styled("red", "error") : styled("yellow", "warning");
  return `  ${place}  ${word} ${code}: ${message}`;
}

function showFile(path: string): Report {
  const report = validate(readFileSync(path, "utf8"));
  const verdict = report.ok ? styled("green", "valid") : styled("red", "invalid");
  console.log(`${styled("bold", relative(process.cwd(), path))}  ${report.notation ?? "no flow"}, ${verdict}`);
  for (const found of report.findings) console.log(showFinding(found));
  if (report.plan !== null) {
    const width = process.stdout.columns ?? 100;
    console.log(`\n${drawAscii(report.plan, { unicode: true, colour: isTerminal, width })}\n`);
  }
  return report;
}

function main(wanted: readonly string[]): number {
  const reports = filesToShow(wanted).map(showFile);
  const invalid = reports.filter((report) => !report.ok).length;
  const warnings = reports.flatMap((report) => report.findings).filter((found) => found.severity === "warning").length;
  console.log(`${reports.length} flows: ${reports.length - invalid} valid, ${invalid} invalid, ${warnings} warnings`);
  if (wanted.length === 0) console.log("Draw one of your own: npm start -- path/to/flow.yaml");
  return invalid === 0 ? 0 : 6;
}

process.exitCode = main(process.argv.slice(2));
