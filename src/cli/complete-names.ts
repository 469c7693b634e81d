// Names that a shell can complete: of saved workflows and of tools.

import { toPlainText } from "../flow/draw/text.ts";
import type { Call } from "./command.ts";
import type { View } from "./view.ts";

export type Candidate = { readonly value: string; readonly about: string };

export async function listWorkflowNames({ store }: View): Promise<readonly Candidate[]> {
  const [{ workflowKind }, { viewWorkflow }] = await Promise.all([
    import("../engine/workflow-entry.ts"),
    import("../engine/workflow-view.ts"),
  ]);
  const saved = (await store.listEntries(workflowKind)).map(viewWorkflow).filter(({ deletedAt }) => deletedAt === null);
  return saved.map(({ name, description }) => ({ value: name, about: toPlainText(description ?? "workflow") }));
}

export async function listToolNames(wish: Pick<Call, "values" | "surroundings">): Promise<readonly Candidate[]> {
  const { openToolBox } = await import("./tool-box.ts");
  const tools = (await openToolBox(wish)).list();
  return tools.map(({ name, description }) => ({ value: name, about: toPlainText(description ?? "tool") }));
}
