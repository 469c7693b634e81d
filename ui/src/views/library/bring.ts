// Looks at what is brought, and brings it in.

import { Problem } from "../../api/request.ts";
import { importFile, planImport } from "../../api/sharing.ts";
import { saveWorkflow } from "../../api/workflows.ts";
import { toFindings, validateFlow } from "../../api/writing.ts";
import { entryAt, scanFlow } from "../../model/flow-text.ts";
import { withLine, type Finding } from "../../model/finding.ts";
import { nameOfFile, readBrought, type ImportPlan } from "../../model/import.ts";
import type { Json } from "../../model/json.ts";

export type Looked =
  | { readonly kind: "wrong"; readonly title: string; readonly findings: readonly Finding[] }
  | { readonly kind: "plan"; readonly plan: ImportPlan; readonly file: Json }
  | { readonly kind: "flow"; readonly name: string; readonly text: string; readonly findings: readonly Finding[] };

const nothing = "Nothing is imported until this is mended.";

/** Nothing is changed by it. */
export async function look(text: string, file: string | null): Promise<Looked> {
  const brought = readBrought(text);
  if (brought.kind === "flow") return lookAtFlow(text, file);
  try {
    return { kind: "plan", plan: await planImport(brought.file), file: brought.file };
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 0) throw error;
    const told = [...toFindings(error.details["findings"]), ...toFindings(error.details["problems"])];
    return {
      kind: "wrong",
      title: told.length === 0 ? error.message : nothing,
      findings: told.map((each) => withLine(text, each)),
    };
  }
}

async function lookAtFlow(text: string, file: string | null): Promise<Looked> {
  const { findings } = await validateFlow(text);
  if (findings.some(({ isError }) => isError)) return { kind: "wrong", title: nothing, findings };
  const own = entryAt(scanFlow(text).entries, ["name"])?.value ?? null;
  const name = own ?? (file === null ? null : nameOfFile(file));
  if (name !== null) return { kind: "flow", name, text, findings };
  return { kind: "wrong", title: "It has no name. Write name: and what it is called into it.", findings: [] };
}

/** What it is called here. */
export async function bring(looked: Looked, isEnabled: boolean): Promise<string> {
  switch (looked.kind) {
    case "plan":
      return (await importFile(looked.file, isEnabled)).name;
    case "flow":
      return saveNew(looked.name, looked.text);
    case "wrong":
      throw new Error(looked.title);
  }
}

/** Nothing that is here is written over. */
async function saveNew(name: string, text: string): Promise<string> {
  try {
    return (await saveWorkflow({ name, flow: text, expectedVersion: 0 })).name;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    throw new Error(`There is a workflow ${name} already. Give this one another name, or edit that one.`, {
      cause: error,
    });
  }
}
