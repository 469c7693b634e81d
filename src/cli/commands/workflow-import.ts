// `stepwell workflow import`: shows what a file would bring, asks, and brings it in.

import type { ImportPlan } from "../../engine/sharing/import.ts";
import { StepwellError } from "../../error.ts";
import { toPlainText } from "../../flow/draw/text.ts";
import { toImportedDocument, toPlanDocument } from "../../server/document/sharing.ts";
import { confirm } from "../ask.ts";
import { defineCommand, type Command } from "../command.ts";
import { readFlowFile } from "../flow-file.ts";
import { openSession } from "../session.ts";
import { drawTable } from "../table.ts";
import type { Look } from "../terminal.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<file>", completes: "file" }],
  flags: {
    plan: { about: "only say what would happen" },
    enable: { about: "let it be started at once; else it is disabled" },
  },
  details:
    "What stepwell workflow export writes, or an export of AlexClaw. A name that is taken gets (imported 1). All of it comes in, or nothing. Asks first; - reads standard input.",
  examples: ["workflow import digest.json --plan", "workflow import digest.json --yes --enable"],
  async act(call) {
    const { values, out } = call;
    const text = readFile(call);
    await using session = await openSession(call);
    const { workflows } = session.engine;
    const plan = await workflows.planImport(text);
    if (values.plan) {
      out.tell({ document: toPlanDocument(plan), ids: [plan.name], lines: (look) => drawPlan(plan, look) });
      return 0;
    }
    if (!out.isJson) for (const line of drawPlan(plan, out.look)) out.say(line);
    if (!(await confirm(`Import it as "${toPlainText(plan.name)}"?`, call))) {
      out.say("Nothing was imported.");
      return 0;
    }
    const imported = await workflows.import(text, { by: session.user, enable: values.enable });
    const { name, version } = imported.workflow;
    const reference = `${name}@${version}`;
    out.tell({ document: toImportedDocument(imported), ids: [reference], lines: () => [reference] });
    out.say(
      values.enable ? `imported: ${name}` : `imported: ${name}, disabled; stepwell workflow enable lets it be started`,
    );
    return 0;
  },
});

function readFile({ operands, usage }: { readonly operands: readonly string[]; readonly usage: string }): string {
  const [file] = operands;
  if (file === undefined) throw new StepwellError("USAGE", "Say which file to import.", { hint: usage });
  if (file === "-" || /\.json$/i.test(file)) return readFlowFile(file, usage);
  throw new StepwellError("USAGE", `"${file}" is no .json file.`, {
    hint: "stepwell workflow save takes flows in YAML and JSON",
  });
}

function drawPlan(plan: ImportPlan, look: Look): readonly string[] {
  const { workflows, resources, missingTools, missingSecrets, permissions, warnings } = plan;
  const headings = ["WORKFLOW", "BECOMES", "HERE", "IS"];
  const rows = workflows.map(({ name, as, state, action }) => [
    { text: name },
    { text: as },
    { text: state },
    { text: action === "link" ? "linked" : "created" },
  ]);
  const linked = resources.filter(({ action }) => action === "link").map(({ name }) => name);
  return [
    ...drawTable({ headings, rows }, look),
    ...drawList("resources that are here", linked),
    ...drawList("missing tools", missingTools),
    ...drawList("missing secrets", missingSecrets),
    ...drawList("permissions", permissions),
    ...warnings.map((warning) => `warning: ${toPlainText(warning)}`),
  ];
}

function drawList(title: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${title}: ${names.map(toPlainText).join(", ")}`];
}
