// Names that a shell can complete: of saved workflows and of tools.

import { toPlainText } from "../flow/draw/text.ts";
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

/** Only those that come with the program: a press of a key must not run a module that lies in the folder. */
export async function listToolNames(): Promise<readonly Candidate[]> {
  const { createBuiltinTools } = await import("../tool/builtin/builtin.ts");
  return createBuiltinTools({ now: Date.now, say: () => {} }).map(({ name, description }) => {
    return { value: name, about: toPlainText(description ?? "tool") };
  });
}
